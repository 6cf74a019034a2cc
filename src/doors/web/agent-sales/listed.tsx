import { contactInForce, nameContact } from "../../../actions/operations/agent-settings.ts"
import { adagentsJson, type KindsAt, kindsOf, pointerJson, readAdagents } from "../../../domain/adcp/adagents.ts"
import { contactError, contactWords } from "../../../domain/adcp/contact.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { type Errors, readForm } from "../form.ts"
import { AGENT_KEYS, LISTED, SYSTEM } from "../frame/navigation.ts"
import { Banner, Card, Copyable, PostButton, type Todo, TodoList } from "../parts/blocks.tsx"
import { ContactField } from "../parts/form/fields.tsx"
import { Form } from "../parts/form/form.tsx"
import { formatCount, listInWords } from "../parts/format.tsx"
import { done, goTo } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { activeKeys } from "./opening.tsx"
import { salesPage } from "./section.tsx"

// What a seller has to do so that buyers' agents find it and believe it. What only strangers can see is looked at from outside, on request.

const DOMAINS_MAX = 10
const FILE = "/.well-known/adagents.json"

interface Known {
  readonly agentUrl: string
  /** Where this server has the file; null where it is not published. */
  readonly ourFile: string | null
  readonly domains: readonly string[]
  readonly kinds: KindsAt
  readonly contact: string | null
  readonly openProducts: number
}

async function knownTo(visit: PersonVisit): Promise<Known> {
  const { store, config, agentAt } = visit.context
  const stored = await store.catalogue.products()
  const kinds = kindsOf(stored.flatMap(({ body }) => (hasPlaces(body) ? [body] : [])))
  const keys = await activeKeys(visit)
  const isPublished = config.publishAdagents.length > 0 && config.publicUrl?.startsWith("https:") === true
  return {
    agentUrl: agentAt(visit.url),
    ourFile: isPublished ? `${config.publicUrl}${FILE}` : null,
    domains: [...new Set([...config.publishAdagents, ...kinds.keys()])].sort(),
    kinds,
    contact: await contactInForce(store, config),
    openProducts: new Set(keys.flatMap(({ openings }) => openings.map(({ productId }) => productId))).size,
  }
}

const hasPlaces = (body: unknown): body is Parameters<typeof kindsOf>[0] extends Iterable<infer Sold> ? Sold : never =>
  Array.isArray((body as { publisher_properties?: unknown } | null)?.publisher_properties)

/** What was found from outside: true, or what is wrong. Nothing where nobody has looked. */
type Seen = ReadonlyMap<string, true | string>

async function look(visit: PersonVisit, { agentUrl, ourFile, domains }: Known): Promise<Seen> {
  const { publicUrl } = visit.context.config
  const addresses = domains.slice(0, DOMAINS_MAX)
  const files = addresses.map(async (domain) => {
    const seen = await fetched(visit, `https://${domain}${FILE}`, (text) => {
      const found = readAdagents(text, agentUrl, ourFile ?? "")
      return found === "names us" || (found === "names others" ? "The file there names other agents only." : NO_FILE)
    })
    return [domain, seen] as const
  })
  const own = publicUrl === null ? [] : [fetched(visit, `${publicUrl}/healthz`, () => true)]
  const [ours] = await Promise.all(own)
  return new Map([...(await Promise.all(files)), ...(ours === undefined ? [] : [["", ours] as const])])
}

const NO_FILE = "The file there is no adagents.json."

async function fetched(visit: PersonVisit, url: string, read: (text: string) => true | string): Promise<true | string> {
  if (!url.startsWith("https:")) return "It is not an https address."
  try {
    const { status, text } = await visit.context.lookOutside(url)
    if (status === 404) return "There is nothing at this address yet."
    return status === 200 ? read(text) : `It answered with status ${status}.`
  } catch (cause) {
    return `It could not be reached: ${cause instanceof Error ? cause.message : "no answer"}`
  }
}

const tick = (isDone: boolean | undefined): Pick<Todo, "tone" | "icon"> =>
  isDone === undefined ? { tone: "off", icon: "clock" } : isDone ? { tone: "good", icon: "check" } : TO_DO
const TO_DO = { tone: "warn", icon: "flag" } as const

function addressStep(visit: PersonVisit, { agentUrl }: Known, seen: Seen | null): Todo {
  const { publicUrl } = visit.context.config
  const found = seen?.get("")
  const isPublic = publicUrl?.startsWith("https:") === true
  return {
    ...tick(isPublic && (seen === null || found === true)),
    subject: "A public address",
    what: isPublic ? "is set" : "is missing",
    text: isPublic
      ? `Agents call ${agentUrl}${typeof found === "string" ? ` From outside: ${found}` : ""}`
      : "Agents need an https address. Set up HTTPS, or start the server with --public-url.",
    href: isPublic ? undefined : `${SYSTEM}/https`,
    action: "Set up HTTPS",
  }
}

function domainStep(domain: string, seen: Seen | null): Todo {
  const found = seen?.get(domain)
  return {
    ...tick(found === undefined ? undefined : found === true),
    subject: domain,
    what:
      found === true ? "names your agent" : found === undefined ? "has not been checked" : "does not name your agent",
    text:
      found === true
        ? `https://${domain}${FILE} says that this agent may sell there.`
        : `${found ?? "Buyers’ agents look there for who may sell."} Put one of the files below at https://${domain}${FILE}`,
  }
}

function steps(visit: PersonVisit, known: Known, seen: Seen | null): Todo[] {
  const { domains, contact, openProducts } = known
  const noDomain: Todo = {
    ...tick(false),
    subject: "Your domain",
    what: "is not known",
    text: "Name it as the publisher of a product, or start the server with --publish-adagents.",
  }
  return [
    addressStep(visit, known, seen),
    ...(domains.length === 0 ? [noDomain] : domains.slice(0, DOMAINS_MAX).map((domain) => domainStep(domain, seen))),
    {
      ...tick(contact !== null),
      subject: "A contact",
      what: contact === null ? "is missing" : "is named",
      text: contact ?? "Agents without a key are told whom to ask for one. Name somebody below.",
    },
    {
      ...tick(openProducts > 0),
      subject: "Products",
      what: openProducts > 0 ? "are shown to buyers" : "are shown to nobody",
      text:
        openProducts > 0
          ? `Buyers’ keys see ${formatCount(openProducts, "product")}.`
          : "Create a buyer’s key, and show products to it.",
      href: openProducts > 0 ? undefined : AGENT_KEYS,
      action: "Buyers’ keys",
    },
  ]
}

async function show(visit: PersonVisit, seen: Seen | null = null, typed?: string, errors: Errors = {}) {
  const known = await knownTo(visit)
  const all = steps(visit, known, seen)
  const left = all.filter(({ tone }) => tone !== "good").length
  return salesPage(visit, {
    title: "Get listed",
    tab: LISTED,
    intro: "What it takes for buyers’ agents to find you, and to trust that you may sell.",
    actions: <PostButton action={`${LISTED}/check`} kind="primary" icon="search" label="Check from outside" />,
    body: (
      <>
        {seen !== null && (
          <Banner tone={left === 0 ? "good" : "warn"} live>
            {left === 0 ? "Everything is in place." : `${formatCount(left, "thing")} left to do.`}
          </Banner>
        )}
        <Card title="Checklist" flush>
          <TodoList todos={all} />
        </Card>
        <div class="cols">
          {contactCard(visit, typed ?? known.contact ?? visit.person.email, errors)}
          <Anonymous known={known} />
        </div>
        <Files visit={visit} known={known} />
      </>
    ),
  })
}

function Files({ visit, known }: { readonly visit: PersonVisit; readonly known: Known }) {
  const { domains, ourFile } = known
  if (domains.length === 0) return null
  const { publishBrand: name } = visit.context.config
  const text = (file: object) => JSON.stringify(file, null, 2)
  const whole = adagentsJson({ ...known, name, lastUpdated: formatMoment(visit.now) })
  return (
    <Card title="The file for your domain">
      <p class="soft">
        Save it as <code>{FILE.slice(1)}</code> on {listInWords(domains, DOMAINS_MAX)}. It says that this agent may sell
        there, and whom to ask.
      </p>
      <Copyable id="whole-file" label="The whole file" text={text(whole)} />
      {ourFile !== null && (
        <Copyable id="pointer-file" label="Or one that never changes" text={text(pointerJson(ourFile))} />
      )}
    </Card>
  )
}

function contactCard(visit: PersonVisit, contact: string, errors: Errors) {
  const { agentContact } = visit.context.config
  return (
    <Card title="Whom buyers ask" id="contact">
      {agentContact === null ? (
        <Form action={LISTED} submit="Save" values={{ contact }} errors={errors}>
          <ContactField label="Contact" />
        </Form>
      ) : (
        <p>
          {agentContact}: the server was started with <code>--agent-contact</code> or its environment variable.
        </p>
      )}
    </Card>
  )
}

const Anonymous = ({ known: { contact, agentUrl, domains } }: { readonly known: Known }) => (
  <Card title="What agents see without a key">
    <p>All creative formats, no product and no price.</p>
    <p>{contactWords(contact, agentUrl).needsKey}</p>
    {domains.length > 0 && <p>The domains in the adagents.json that this server publishes, and no others.</p>}
  </Card>
)

async function save(visit: PersonVisit): Promise<Response> {
  const contact = (await readForm(visit.request)).text("contact")
  const problem = contactError(contact)
  if (problem !== undefined) return show(visit, null, contact, { contact: problem })
  await nameContact(visit.context, contact, visit.actor)
  return goTo(visit, LISTED, done(`Buyers are told to ask ${contact}.`))
}

export const listedRoutes = [
  forOperator("GET", LISTED, (visit) => show(visit)),
  forOperator("POST", LISTED, save),
  forOperator("POST", `${LISTED}/check`, async (visit) => show(visit, await look(visit, await knownTo(visit)))),
]
