import {
  chooseListing,
  type Listing,
  listingOf,
  nameContact,
  namedContact,
} from "../../../actions/operations/agent-settings.ts"
import { adagentsJson, kindsOf, pointerJson, readAdagents } from "../../../domain/adcp/adagents.ts"
import { CONTACT_CHARACTERS_MAX, contactError, contactWords } from "../../../domain/adcp/contact.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { InvalidSetting } from "../../../domain/operations/service-settings.ts"
import { LINE } from "../../../domain/operations/setting.ts"
import { readDomain } from "../../../domain/text/domain-name.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { type Errors, readForm } from "../form.ts"
import { AGENT_KEYS, LISTED, SYSTEM } from "../frame/navigation.ts"
import { forOperator } from "../guards.ts"
import { Banner, Card, Copyable, Fold, PostButton, type Todo, TodoList } from "../parts/blocks.tsx"
import { ContactField, Field, Form } from "../parts/form/form.tsx"
import { formatCount, listInWords } from "../parts/format.tsx"
import { done, goTo } from "../respond.tsx"
import type { PersonVisit } from "../visit.ts"
import { activeKeys } from "./opening.tsx"
import { salesPage } from "./section.tsx"

// What a seller has to do so that buyers' agents find it and believe it. What only strangers can see is looked at from outside, on request.

const DOMAINS_MAX = 10
const FILE = "/.well-known/adagents.json"

async function knownTo(visit: PersonVisit) {
  const { store, config, agentAt } = visit.context
  const listing = await listingOf(store)
  const stored = await store.catalogue.products()
  const products = stored.map(({ body }) => body as Product)
  const kinds = kindsOf(products.filter(({ publisher_properties: places }) => Array.isArray(places)))
  const keys = await activeKeys(visit)
  const isPublished = listing.domains.length > 0 && isHttps(config.publicUrl)
  return {
    agentUrl: agentAt(visit.url),
    /** Where this server has the file; null where it is not published. */
    ourFile: isPublished ? `${config.publicUrl}${FILE}` : null,
    domains: [...new Set([...listing.domains, ...kinds.keys()])].sort(),
    kinds,
    listing,
    contact: await namedContact(store),
    openProducts: new Set(keys.flatMap(({ openings }) => openings.map(({ productId }) => productId))).size,
  }
}

type Known = Awaited<ReturnType<typeof knownTo>>

const isHttps = (url: string | null) => url?.startsWith("https:") === true

/** What was found from outside, by domain, and of the server's own address by "": true, or what is wrong. Nothing where nobody has looked. */
type Seen = ReadonlyMap<string, true | string>

async function look({ context }: PersonVisit, { agentUrl, ourFile, domains }: Known): Promise<Seen> {
  const { publicUrl } = context.config
  async function found(url: string, read: (text: string) => true | string): Promise<true | string> {
    if (!isHttps(url)) return "It is not an https address."
    const { status, text } = await context.lookOutside(url)
    if (status === 404) return "There is nothing at this address yet."
    return status === 200 ? read(text) : `It answered with status ${status}.`
  }
  const readFile = (text: string) => readAdagents(text, agentUrl, ourFile ?? "")
  const answers = [
    ...(publicUrl === null ? [] : [["", found(`${publicUrl}/healthz`, () => true)] as const]),
    ...domains.slice(0, DOMAINS_MAX).map((domain) => [domain, found(`https://${domain}${FILE}`, readFile)] as const),
  ]
  return new Map(await Promise.all(answers.map(async ([name, answer]) => [name, await answer.catch(failure)] as const)))
}

const failure = (cause: unknown) => `It could not be reached: ${cause instanceof Error ? cause.message : "no answer"}`

/** Undefined where it is not known whether it is done. */
function step(isDone: boolean | undefined, subject: string, what: string, text: string): Todo {
  const tone = isDone === undefined ? "off" : isDone ? "good" : "warn"
  return { tone, icon: ICONS[tone], subject, what, text }
}

const ICONS = { off: "clock", good: "check", warn: "flag" } as const

function addressStep(visit: PersonVisit, { agentUrl }: Known, seen: Seen | null): Todo {
  const found = seen?.get("")
  if (!isHttps(visit.context.config.publicUrl)) {
    const text = "Agents need an https address. Set up HTTPS, or start the server with --public-url."
    return { ...step(false, "A public address", "is missing", text), href: `${SYSTEM}/https`, action: "Set up HTTPS" }
  }
  const text = `Agents call ${agentUrl}${typeof found === "string" ? ` From outside: ${found}` : ""}`
  return step(seen === null || found === true, "A public address", "is set", text)
}

function domainStep(domain: string, found: true | string | undefined): Todo {
  const url = `https://${domain}${FILE}`
  if (found === true) return step(true, domain, "names your agent", `${url} says that this agent may sell there.`)
  const put = `Put one of the files below at ${url}`
  if (found !== undefined) return step(false, domain, "does not name your agent", `${found} ${put}`)
  return step(undefined, domain, "has not been checked", `Buyers’ agents look there for who may sell. ${put}`)
}

const NAME_DOMAIN = "Name it as the publisher of a product, or below."
const NO_DOMAIN = step(false, "Your domain", "is not known", NAME_DOMAIN)
const NO_CONTACT = "Agents without a key are told whom to ask for one. Name somebody below."
const NO_PRODUCTS: Todo = {
  ...step(false, "Products", "are shown to nobody", "Create a buyer’s key, and show products to it."),
  href: AGENT_KEYS,
  action: "Buyers’ keys",
}

function steps(visit: PersonVisit, known: Known, seen: Seen | null): Todo[] {
  const { domains, contact, openProducts } = known
  const shown = `Buyers’ keys see ${formatCount(openProducts, "product")}.`
  return [
    addressStep(visit, known, seen),
    ...(domains.length === 0 ? [NO_DOMAIN] : []),
    ...domains.slice(0, DOMAINS_MAX).map((domain) => domainStep(domain, seen?.get(domain))),
    step(contact !== null, "A contact", contact === null ? "is missing" : "is named", contact ?? NO_CONTACT),
    openProducts > 0 ? step(true, "Products", "are shown to buyers", shown) : NO_PRODUCTS,
  ]
}

type Typed = Readonly<{ contact: string }> | Readonly<{ domains: string; brand: string }>
type Drafted = Readonly<{ typed: Typed; errors: Errors }>

async function show(visit: PersonVisit, seen: Seen | null = null, drafted?: Drafted) {
  const known = await knownTo(visit)
  const all = steps(visit, known, seen)
  const left = all.filter(({ tone }) => tone !== "good").length
  return salesPage(visit, {
    title: "Get listed",
    tab: LISTED,
    intro: "What it takes for buyers’ agents to find you, and to trust that you may sell.",
    actions: <PostButton action={`${LISTED}/check`} kind="primary" icon="search" label="Check from outside" />,
    body: [
      seen !== null && (
        <Banner tone={left === 0 ? "good" : "warn"} live>
          {left === 0 ? "Everything is in place." : `${formatCount(left, "thing")} left to do.`}
        </Banner>
      ),
      <Card title="Checklist" flush>
        <TodoList todos={all} />
      </Card>,
      <div class="cols">
        <ContactCard start={known.contact ?? visit.person.email} drafted={drafted} />
        <Anonymous known={known} />
      </div>,
      <PublishedCard listing={known.listing} isSecure={isHttps(visit.context.config.publicUrl)} drafted={drafted} />,
      <Files visit={visit} known={known} />,
    ],
  })
}

function Files({ visit, known }: { readonly visit: PersonVisit; readonly known: Known }) {
  const { domains, ourFile } = known
  if (domains.length === 0) return null
  const { brand: name } = known.listing
  const text = (file: object) => JSON.stringify(file, null, 2)
  const whole = adagentsJson({ ...known, name, lastUpdated: formatMoment(visit.now) })
  return (
    <Fold title="The file for your domain" note={FILE.slice(1)} id="file">
      <p class="soft">
        Save it as <code>{FILE.slice(1)}</code> on {listInWords(domains, DOMAINS_MAX)}. It says that this agent may sell
        there, and whom to ask.
      </p>
      <Copyable id="whole-file" label="The whole file" text={text(whole)} />
      {ourFile !== null && (
        <Copyable id="pointer-file" label="Or one that never changes" text={text(pointerJson(ourFile))} />
      )}
    </Fold>
  )
}

/** What was typed and refused in the form that has this field, or what it begins with. */
function draftOf(start: Typed, drafted: Drafted | undefined) {
  const isThis = drafted !== undefined && Object.keys(start).every((name) => name in drafted.typed)
  return isThis ? { values: drafted.typed, errors: drafted.errors } : { values: start, errors: {} }
}

const ContactCard = ({ start, drafted }: { readonly start: string; readonly drafted: Drafted | undefined }) => (
  <Card title="Whom buyers ask" id="contact">
    <Form action={LISTED} submit="Save" {...draftOf({ contact: start }, drafted)}>
      <ContactField label="Contact" />
    </Form>
  </Card>
)

const DOMAINS_HINT =
  "Domains that this agent sells for, with commas between them. This server then has an adagents.json for them, which a file on each domain can point to."
const BRAND_HINT = "The company that runs this agent. With HTTPS, this server then has a brand.json."

interface PublishedCardProps {
  readonly listing: Listing
  readonly isSecure: boolean
  readonly drafted: Drafted | undefined
}

function PublishedCard({ listing: { domains, brand }, isSecure, drafted }: PublishedCardProps) {
  const draft = draftOf({ domains: domains.join(", "), brand: brand ?? "" }, drafted)
  const isOpen = Object.keys(draft.errors).length > 0
  const files = [
    ...(domains.length > 0 ? ["adagents.json"] : []),
    ...(brand !== null && isSecure ? ["brand.json"] : []),
  ]
  return (
    <Fold
      id="published"
      title="What this server publishes"
      note={files.length === 0 ? "Nothing" : files.join(" and ")}
      isOpen={isOpen}
    >
      <Form action={`${LISTED}/published`} submit="Save" {...draft}>
        <Field name="domains" label="Domains" hint={DOMAINS_HINT} />
        <Field name="brand" label="Company" maxlength={CONTACT_CHARACTERS_MAX} hint={BRAND_HINT} />
      </Form>
    </Fold>
  )
}

const Anonymous = ({ known: { contact, agentUrl, domains } }: { readonly known: Known }) => (
  <Card title="What agents see without a key">
    <p>All creative formats, no product and no price.</p>
    <p>{contactWords(contact, agentUrl).needsKey}</p>
    {domains.length > 0 && <p>The domains in the adagents.json that this server publishes, and no others.</p>}
  </Card>
)

async function saveContact(visit: PersonVisit): Promise<Response> {
  const contact = (await readForm(visit.request)).text("contact")
  const problem = contactError(contact)
  if (problem !== undefined) return show(visit, null, { typed: { contact }, errors: { contact: problem } })
  await nameContact(visit.context, contact, visit.actor)
  return goTo(visit, LISTED, done(`Buyers are told to ask ${contact}.`))
}

async function savePublished(visit: PersonVisit): Promise<Response> {
  const typed = (await readForm(visit.request)).texts("domains", "brand")
  const names = typed.domains.split(/[\s,;]+/).filter(Boolean)
  const domains = names.flatMap((name) => readDomain(name) ?? [])
  const wrong = names.filter((name) => readDomain(name) === undefined)
  const brand = typed.brand === "" ? null : LINE.read(typed.brand)
  const errors = {
    ...(wrong.length > 0 && { domains: `Enter domains such as example.com, not ${listInWords(wrong, 3)}.` }),
    ...(brand instanceof InvalidSetting && { brand: `The name ${brand.sentence}.` }),
  }
  if (wrong.length > 0 || brand instanceof InvalidSetting) return show(visit, null, { typed, errors })
  await chooseListing(visit.context, { domains: [...new Set(domains)], brand }, visit.actor)
  return goTo(visit, LISTED, done("Saved."))
}

export const listedRoutes = [
  forOperator("GET", LISTED, (visit) => show(visit)),
  forOperator("POST", LISTED, saveContact),
  forOperator("POST", `${LISTED}/published`, savePublished),
  forOperator("POST", `${LISTED}/check`, async (visit) => show(visit, await look(visit, await knownTo(visit)))),
]
