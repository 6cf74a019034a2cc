import { previewAnswer } from "../../../../actions/catalogue/preview.ts"
import { agentViews } from "../../../../actions/catalogue/views.ts"
import { changeBuyerOfKey } from "../../../../actions/keys.ts"
import { publicUrl } from "../../../../actions/mail.ts"
import { readTerritories } from "../../../../domain/adcp/catalogue/territory.ts"
import { type BuyerKey, buyerKeyById } from "../../../../storage/keys.ts"
import { allOrganizations, type Organization } from "../../../../storage/organizations.ts"
import { goTo } from "../../../flash.ts"
import { type FormOf, newState } from "../../../forms/form.ts"
import { page } from "../../../page.tsx"
import { AskLink, ButtonLink, Card, Empty } from "../../../parts/blocks.tsx"
import { Field } from "../../../parts/fields.tsx"
import { Form } from "../../../parts/form.tsx"
import { Ago } from "../../../parts/format.tsx"
import { KeyBadge } from "../../../parts/keys.tsx"
import { NotFound, orNotFound, type SignedInVisit } from "../../../visit.ts"
import { AnswerCard, MissingCard } from "./answer.tsx"
import { BuyerField, buyerNamed } from "./buyer-keys.tsx"
import { BUYER_KEYS, keyAddress, PRODUCTS, REQUESTS } from "./words.ts"

const TRAIL = { href: BUYER_KEYS, label: "Buyer keys" }

interface KeyWithBuyer {
  readonly key: BuyerKey
  readonly organizations: readonly Organization[]
  /** The organization that the key acts for. */
  readonly buyer: Organization | undefined
}

async function findKey({ context, params }: SignedInVisit): Promise<KeyWithBuyer> {
  const { read, later } = context.database
  await later.flush()
  const key = orNotFound(await buyerKeyById(read, params["key"] ?? ""))
  const organizations = await allOrganizations(read)
  return { key, organizations, buyer: organizations.find(({ id }) => id === key.buyerId) }
}

/** One buyer key: what it sees, and what its agent would be answered. */
export async function buyerKeyPage(visit: SignedInVisit): Promise<Response> {
  const found = await findKey(visit)
  const { key } = found
  const address = keyAddress(key.id)
  const isActive = key.revokedAt === null
  const asked = questionIn(visit.url)
  return page(visit, {
    title: key.label,
    trail: [TRAIL],
    badge: <KeyBadge {...key} />,
    intro: <Intro {...found} />,
    actions: (
      <>
        {isActive && <AskLink href={`${address}/revoke`} label="Revoke" about={`Revoke ${key.label}`} />}
        <ButtonLink href={`${REQUESTS}?key=${key.id}`} label="Requests" />
      </>
    ),
    form: newState({ brief: asked.brief, countries: asked.countries }),
    hasTimes: true,
    body: isActive ? (
      <>
        <Card title="Ask as this buyer would">
          <form action={address} class="stack">
            <div class="cols">
              <Field name="brief" label="Brief" placeholder="podcast listeners who plan trips" />
              <Field name="countries" label="Countries" placeholder="Austria, DE" />
            </div>
            <div class="actions">
              <button type="submit" class="button primary">
                Ask
              </button>
              {!asked.isEmpty && <ButtonLink kind="quiet" href={address} label="Show all it sees" />}
            </div>
          </form>
        </Card>
        {asked.error === null ? await answerOf(visit, key, asked) : <Refused text={asked.error} />}
      </>
    ) : (
      <Empty title="This key is revoked" text="It sees nothing, and its order links no longer work." />
    ),
  })
}

const Intro = ({ key, buyer }: KeyWithBuyer) => (
  <>
    <code>{key.prefix}…</code> · created <Ago at={key.createdAt} /> ·{" "}
    {key.lastUsedAt === null ? (
      "no request yet"
    ) : (
      <>
        last request <Ago at={key.lastUsedAt} />
      </>
    )}{" "}
    · {buyer === undefined ? "acts for no buyer" : `acts for ${buyer.name}`}
    {key.revokedAt === null && (
      <>
        {" "}
        (<a href={`${keyAddress(key.id)}/buyer`}>change</a>)
      </>
    )}
  </>
)

interface Question {
  readonly brief: string
  /** As it was typed. */
  readonly countries: string
  readonly args: Readonly<Record<string, unknown>>
  readonly isEmpty: boolean
  readonly error: string | null
}

/** What was typed, as the agent would send it. */
function questionIn({ searchParams }: URL): Question {
  const typed = (name: string) => (searchParams.get(name) ?? "").trim()
  const [brief, countries] = [typed("brief"), typed("countries")]
  const read = readTerritories(countries)
  const codes = "codes" in read ? read.codes.filter((code) => code !== "*") : []
  const args = { ...(brief !== "" && { brief }), ...(codes.length > 0 && { filters: { countries: codes } }) }
  const error = "error" in read ? read.error : null
  return { brief, countries, args, isEmpty: brief === "" && countries === "", error }
}

async function answerOf(visit: SignedInVisit, { id }: BuyerKey, { args, isEmpty }: Question) {
  const { context } = visit
  const preview = await previewAnswer(context, id, args)
  const { answer, message, products, missing, reading } = preview
  if (answer.outcome !== "completed") return <Refused text={message} />
  if (products.length === 0 && missing.length === 0) return <NoProducts />
  return (
    <>
      {!isEmpty && (
        <Card title="What the agent says">
          <p class="lines">{message}</p>
        </Card>
      )}
      <AnswerCard
        title={isEmpty ? "What it sees" : "The answer"}
        products={products}
        reading={reading}
        keyId={id}
        orderLink={await orderLinksFor(visit, id)}
      />
      <MissingCard title={isEmpty ? "Hidden from it" : "Not in the answer"} missing={missing} keyId={id} />
    </>
  )
}

/** Order links for people, without the port that agents' clients need. Null if this server takes no orders. */
async function orderLinksFor({ context }: SignedInVisit, keyId: string) {
  const { orderUrl } = (await agentViews(context).of(keyId)).products
  return orderUrl && ((productId: string) => new URL(new URL(orderUrl(productId)).pathname, publicUrl(context)).href)
}

const Refused = ({ text }: { readonly text: string }) => <Empty title="The agent would refuse this" text={text} />

const NoProducts = () => (
  <Empty title="No products yet" text="Describe a product first, and then show it to this buyer.">
    <ButtonLink kind="primary" href={`${PRODUCTS}/new`} label="New product" />
  </Empty>
)

/** Which organization a key acts for. */
export const keyBuyerForm: FormOf<SignedInVisit, KeyWithBuyer> = {
  async find(visit) {
    const found = await findKey(visit)
    if (found.key.revokedAt !== null) throw new NotFound()
    return found
  },
  begin: (_, { buyer }) => ({ texts: { buyer: buyer?.slug ?? "" } }),
  view: (_, { key, organizations }) => ({
    title: `Buyer of ${key.label}`,
    trail: [TRAIL, { href: keyAddress(key.id), label: key.label }],
    body: (
      <section class="card form-card">
        <Form submit="Save" cancel={keyAddress(key.id)}>
          <BuyerField organizations={organizations} />
        </Form>
      </section>
    ),
  }),
  async save(visit, { key, organizations }, { buyer = "" }) {
    const buyerId = buyerNamed(organizations, buyer)
    if (buyerId === undefined) return { errors: { buyer: "Choose an organization." } }
    orNotFound(await changeBuyerOfKey(visit.context, visit.actor, key.id, buyerId))
    const name = organizations.find(({ id }) => id === buyerId)?.name ?? "no buyer"
    return goTo(visit, keyAddress(key.id), `“${key.label}” now acts for ${name}.`)
  },
}
