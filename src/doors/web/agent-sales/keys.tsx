import { createAgentKey, revokeAgentKey, setAgentKeyBuyer } from "../../../actions/keys/keys.ts"
import { isDeliveryOn, switchDelivery } from "../../../actions/operations/agent-settings.ts"
import { switchTakingOrders, takesOrders } from "../../../actions/sale/order-links.ts"
import type { Ranked } from "../../../domain/demand/demand-tally.ts"
import { labelErrors } from "../../../domain/keys/api-key.ts"
import type { ListedAgentKey as AgentKeyRow } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { AGENT_KEY, AGENT_KEYS, itemAddress, REQUESTS } from "../frame/navigation.ts"
import { askFirst, forOperator, withFound } from "../guards.ts"
import { actionColumn, listing } from "../lists.tsx"
import { showOnce } from "../one-time-secret.tsx"
import { organizationField, organizationNamed } from "../operator/organizations.tsx"
import { KEY_COLUMNS, KEY_LIST, KEY_RULES } from "../organization/keys.tsx"
import { Badge, ButtonLink, Card, Copyable, Empty } from "../parts/blocks.tsx"
import { Select } from "../parts/form/choices.tsx"
import { Field, Form } from "../parts/form/form.tsx"
import { formatCount, formatNumber } from "../parts/format.tsx"
import { done, goTo, headedPage, type Question } from "../respond.tsx"
import type { PersonVisit } from "../visit.ts"
import { findKey, ONLY_WITH_KEY, territoriesIn } from "./opening.tsx"
import { demandLately, latelyInWords } from "./overview.tsx"
import { salesPage, salesTrail } from "./section.tsx"
import { shortCountries } from "./words.ts"

const ANONYMOUS = `${REQUESTS}?caller=anonymous`
const { state, prefix, used } = KEY_COLUMNS
type AskingKey = AgentKeyRow & { readonly asked: Ranked | undefined }
const callsOf = ({ asked }: AskingKey) => asked?.calls ?? 0
const nameOf = ({ label }: AgentKeyRow) => label
const pageOf = ({ id, revokedAt }: AgentKeyRow) => (revokedAt === null ? itemAddress(AGENT_KEY, id) : null)

const keyList = listing<PersonVisit, AskingKey>({
  ...KEY_LIST,
  rules: {
    ...KEY_RULES,
    sorts: { used: KEY_RULES.sorts.used, label: nameOf, products: ({ openings }) => openings.length, asked: callsOf },
    largestFirst: ["used", "products", "asked"],
  },
  async rows(visit) {
    const asked = await demandLately(visit, "callers")
    return (await visit.context.store.agentKeys.list()).map((key) => ({ ...key, asked: asked.get(key.id) }))
  },
  columns: async (visit) => [
    {
      title: "Buyer’s key",
      sortBy: "label",
      value: nameOf,
      href: pageOf,
      note: ({ buyerName }) => buyerName !== null && `for ${buyerName}`,
    },
    state,
    { ...prefix, narrow: "no-tablet" },
    { title: "Sees", sortBy: "products", cell: (key) => <Sees of={key} />, value: ({ openings }) => openings.length },
    {
      title: await latelyInWords(visit),
      sortBy: "asked",
      numeric: true,
      cell: ({ asked }) => <Asked {...asked} />,
      value: callsOf,
    },
    used,
    actionColumn({ label: "What it sees", nameOf, href: pageOf }),
  ],
  table: {
    dense: true,
    totals: {
      "Buyer’s key": [<b>Anyone, without a key</b>, <small>Programs that found your address</small>],
      Sees: <span class="soft plain">No products</span>,
      Actions: <ButtonLink small kind="quiet" href={ANONYMOUS} label="Requests" about="Requests without a key" />,
    },
  },
  empty: <Empty title="No buyers’ keys yet" text={`${ONLY_WITH_KEY} Create one for each buyer.`} />,
})

function Sees({ of: { openings, revokedAt } }: { readonly of: AgentKeyRow }) {
  if (revokedAt !== null) return <span class="soft">nothing</span>
  if (openings.length === 0) return <Badge tone="warn">Sees nothing</Badge>
  return [formatCount(openings.length, "product"), " ", <small>{shortCountries(territoriesIn(openings))}</small>]
}

const Asked = ({ calls = 0, unmatched = 0 }: Partial<Ranked>) => [
  formatNumber(calls),
  calls > 0 && <small>{formatNumber(calls - unmatched)} found something</small>,
]

const LABEL_HINT = "Such as the buyer’s name. No two active keys can share a name."

const list = async (visit: PersonVisit, label = "", buyer = "", errors: Errors = {}): Promise<Response> =>
  salesPage(visit, {
    title: "Buyers’ keys",
    tab: AGENT_KEYS,
    intro: "One key for each buyer’s agent. It decides which products the agent sees, and tells you who asked.",
    actions: <ButtonLink kind="primary" icon="plus" href="#new-key" label="New buyer’s key" />,
    body: [
      await keyList.view(visit),
      <p class="hint">These keys only read products. Keys that send totals are under Settings, API keys.</p>,
      <div class="cols">
        <Card title="New buyer’s key" id="new-key">
          <Form action={AGENT_KEYS} submit="Create buyer’s key" values={{ label, buyer }} errors={errors}>
            <Field name="label" label="Whose key is it?" required maxlength={100} hint={LABEL_HINT} />
            {await buyerField(visit)}
          </Form>
        </Card>
        <Card title="What to send a buyer">
          <p class="soft">
            Their engineer needs only the address and the key. The key is shown once, when you create it.
          </p>
          <Copyable id="address" label="Address of your agent" text={visit.context.agentAt(visit.url)} />
          <Copyable id="guide" label="Guide" text={`${visit.origin}/docs/buyers`} />
        </Card>
        <Card title="Orders and figures">{await switches(visit)}</Card>
      </div>,
    ],
  })

async function create(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const [label, slug] = [form.text("label"), form.text("buyer")]
  const buyer = await organizationNamed(visit, slug)
  const errors = { ...labelErrors(label), ...(typeof buyer === "string" && { buyer }) }
  if (typeof buyer === "string" || errors.label !== undefined) return list(visit, label, slug, errors)
  const made = await createAgentKey(visit.context, label, visit.actor, buyer)
  if (made === null) return list(visit, label, slug, { label: "An active key already has this name. Choose another." })
  const { record, secret } = made
  return showOnce(visit, {
    title: "New buyer’s key",
    heading: `Buyer’s key for ${label}`,
    trail: salesTrail(AGENT_KEYS),
    text: "It is shown only once. Send it safely: whoever has it sees what you show to this buyer.",
    secrets: [{ id: "key", label: "Buyer’s key", text: secret }],
    first: { href: itemAddress(AGENT_KEY, record.id), label: "Choose its products" },
    done: "Back to buyers’ keys",
  })
}

const buyerField = (visit: PersonVisit) =>
  organizationField(visit, "buyer", "Buyer", "The agent may then read what this buyer’s campaigns delivered.")

async function askBuyer(visit: PersonVisit, key: AgentKeyRow, buyer = key.buyerName ?? "", errors: Errors = {}) {
  const page = itemAddress(AGENT_KEY, key.id)
  return headedPage(visit, {
    title: `Buyer of ${key.label}`,
    trail: [...salesTrail(AGENT_KEYS), { href: page, label: key.label }],
    body: (
      <section class="card narrow">
        <Form action={`${page}/buyer`} submit="Save" cancel={page} values={{ buyer }} errors={errors}>
          {await buyerField(visit)}
        </Form>
      </section>
    ),
  })
}

async function saveBuyer(visit: PersonVisit, key: AgentKeyRow): Promise<Response> {
  const slug = (await readForm(visit.request)).text("buyer")
  const buyer = await organizationNamed(visit, slug)
  if (typeof buyer === "string") return askBuyer(visit, key, slug, { buyer })
  const changed = await setAgentKeyBuyer(visit.context, key.id, buyer, visit.actor)
  if (changed.outcome === "not found") return pageNotFound(visit)
  const said = `The buyer of ${key.label} is now ${buyer?.name ?? "nobody"}.`
  return goTo(visit, itemAddress(AGENT_KEY, key.id), done(said))
}

export const revokeQuestion = ({ id, label }: AgentKeyRow): Question => ({
  title: `Revoke the buyer’s key of ${label}?`,
  href: itemAddress(AGENT_KEY, id, "revoke"),
  submit: "Revoke buyer’s key",
  text: "Requests with it will be refused. This cannot be undone, but you can create a new key.",
})

async function revoke(visit: PersonVisit, { id }: AgentKeyRow): Promise<Response> {
  const revoked = await revokeAgentKey(visit.context, id, visit.actor)
  if (revoked.outcome === "not found") return pageNotFound(visit)
  const said = `The buyer’s key of ${revoked.label} has been revoked.`
  return goTo(visit, AGENT_KEYS, done(said, `${AGENT_KEYS}#new-key`, "Create a new one"))
}

const YES_OR_NO = [
  { value: "on", label: "Yes" },
  { value: "off", label: "No" },
]

const ORDERS_HINT = "Each product then has a link to its order form. Turning it off ends these links."
const DELIVERY_HINT = "Let each key read its buyer’s campaigns, as the buyer sees them here."

/** What holds for all keys. What an option of the server says is only shown. */
async function switches({ context: { store, config } }: PersonVisit) {
  const isOn = await isDeliveryOn(store, config)
  const values = { orders: (await takesOrders(store)) ? "on" : "off", delivery: isOn ? "on" : "off" }
  return (
    <Form action={`${AGENT_KEYS}/switches`} submit="Save" values={values}>
      <Select name="orders" label="Take orders" hint={ORDERS_HINT} choices={YES_OR_NO} />
      {config.agentDelivery === null ? (
        <Select name="delivery" label="Delivery figures" hint={DELIVERY_HINT} choices={YES_OR_NO} />
      ) : (
        <p>
          Agents {isOn ? "may" : "may not"} read delivery figures: the server was started with{" "}
          <code>--agent-delivery</code> or its environment variable.
        </p>
      )}
    </Form>
  )
}

async function saveSwitches(visit: PersonVisit): Promise<Response> {
  const { context, actor } = visit
  const { orders, delivery } = (await readForm(visit.request)).texts("orders", "delivery")
  const isOther = (typed: string, isOn: boolean) => typed !== "" && (typed === "on") !== isOn
  if (isOther(orders, await takesOrders(context.store))) await switchTakingOrders(context, orders === "on", actor)
  if (isOther(delivery, await isDeliveryOn(context.store, context.config)))
    await switchDelivery(context, delivery === "on", actor)
  return goTo(visit, AGENT_KEYS, done("Saved."))
}

export const agentKeysRoutes = [
  forOperator("POST", `${AGENT_KEYS}/switches`, saveSwitches),
  forOperator("GET", AGENT_KEYS, list),
  forOperator("POST", AGENT_KEYS, create),
  ...askFirst(forOperator, `${AGENT_KEY}/:key/revoke`, findKey, revoke, (_, key) => revokeQuestion(key)),
  forOperator("GET", `${AGENT_KEY}/:key/buyer`, withFound(findKey, askBuyer)),
  forOperator("POST", `${AGENT_KEY}/:key/buyer`, withFound(findKey, saveBuyer)),
]
