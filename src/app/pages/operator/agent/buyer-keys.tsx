import { createBuyerKey, revokeBuyerKey } from "../../../../actions/keys.ts"
import { agentUrl, publicUrl } from "../../../../actions/mail.ts"
import { hasExpired } from "../../../../domain/adcp/view.ts"
import { allOpenings, storedProducts } from "../../../../storage/catalogue/catalogue.ts"
import { type BuyerKey, buyerKeys } from "../../../../storage/keys.ts"
import { allOrganizations, type Organization } from "../../../../storage/organizations.ts"
import { goTo } from "../../../flash.ts"
import { askFirst } from "../../../forms/ask.tsx"
import type { FormOf } from "../../../forms/form.ts"
import { showOnce } from "../../../forms/once.tsx"
import type { List } from "../../../list.ts"
import { ButtonLink, Card, Copyable, Empty } from "../../../parts/blocks.tsx"
import { Select } from "../../../parts/choices.tsx"
import { Field } from "../../../parts/fields.tsx"
import { Form } from "../../../parts/form.tsx"
import { formatCount } from "../../../parts/format.tsx"
import { KEY_COLUMNS, KEY_STATES } from "../../../parts/keys.tsx"
import { ListView } from "../../../parts/list.tsx"
import { organizationChoices } from "../../../parts/people.tsx"
import { Name } from "../../../parts/table.tsx"
import { orNotFound, type SignedInVisit } from "../../../visit.ts"
import { BUYER_KEYS, keyAddress, REQUESTS } from "./words.ts"

interface ListedKey extends BuyerKey {
  /** The organization that it acts for. Empty if it acts for none. */
  readonly buyer: string
  /** How many products it sees. */
  readonly products: number
}

interface Keys {
  readonly keys: readonly ListedKey[]
  readonly organizations: readonly Organization[]
}

/** Every buyer key, and a form that creates another one. */
export const buyerKeysForm: FormOf<SignedInVisit, Keys> = {
  async find({ context, now }) {
    const { read, later } = context.database
    await later.flush()
    const organizations = await allOrganizations(read)
    const names = new Map(organizations.map(({ id, name }) => [id, name]))
    const offered = (await storedProducts(read)).filter(({ product }) => !hasExpired(product, now))
    const ids = new Set(offered.map(({ id }) => id))
    const seen = (await allOpenings(read)).filter(({ productId }) => ids.has(productId))
    const openings = Map.groupBy(seen, ({ buyerKeyId }) => buyerKeyId)
    const keys = (await buyerKeys(read)).map((key) => ({
      ...key,
      buyer: names.get(key.buyerId ?? 0) ?? "",
      products: openings.get(key.id)?.length ?? 0,
    }))
    return { keys, organizations }
  },
  view: (visit, { keys, organizations }) => ({
    title: "Buyer keys",
    intro: "One key for each buyer’s agent. It decides which products the agent sees, and tells you who asked.",
    actions: <ButtonLink kind="primary" icon="plus" href="#new-key" label="New buyer key" />,
    hasTimes: keys.length > 0,
    body: (
      <>
        <ListView list={KEY_LIST} rows={keys} url={visit.url} />
        <div class="cols">
          <Card title="New buyer key" id="new-key">
            <Form submit="Create buyer key">
              <Field
                name="label"
                label="Whose key is it?"
                hint="Such as the buyer’s name. No two active keys have the same one."
                maxlength={100}
                required
              />
              <BuyerField organizations={organizations} />
            </Form>
          </Card>
          <Card title="What to send a buyer">
            <p class="soft">The buyer’s engineer needs only the address and the key.</p>
            <Copyable id="address" label="Address of your agent" text={agentUrl(visit.context)} />
            <Copyable id="guide" label="Guide" text={`${publicUrl(visit.context)}/docs/buyers`} />
            <p class="soft">
              Callers without a key see no products. <a href={`${REQUESTS}?key=none`}>What they asked</a>
            </p>
          </Card>
        </div>
      </>
    ),
  }),
  async save(visit, { organizations }, { label = "", buyer = "" }) {
    const buyerId = buyerNamed(organizations, buyer)
    if (buyerId === undefined) return { errors: { buyer: "Choose an organization." } }
    const created = await createBuyerKey(visit.context, visit.actor, { label, buyerId })
    if ("errors" in created) return created
    return showOnce(visit, {
      title: "Your new buyer key",
      trail: [{ href: BUYER_KEYS, label: "Buyer keys" }],
      text: "It’s shown only once. Send it safely, because anyone who has it sees what you show to this buyer.",
      secrets: [{ id: "key", label: "Buyer key", text: created.key }],
      first: { href: keyAddress(created.id), label: "Choose its products" },
    })
  },
}

/** Which organization a key acts for. */
export const BuyerField = ({ organizations }: Pick<Keys, "organizations">) => (
  <Select
    name="buyer"
    label="Buyer"
    hint="The agent may read what this buyer’s campaigns delivered, if that’s on in the agent settings."
    choices={organizationChoices(organizations)}
  />
)

/** The ID of the chosen organization. Null for none, undefined if it doesn't exist. */
export const buyerNamed = (organizations: readonly Organization[], slug: string): number | null | undefined =>
  slug === "" ? null : organizations.find((each) => each.slug === slug)?.id

const KEY_LIST: List<ListedKey> = {
  name: "buyer keys",
  searched: "labels, first characters and buyers",
  textsOf: ({ label, prefix, buyer }) => [label, prefix, buyer],
  states: KEY_STATES,
  columns: [
    {
      title: "Buyer key",
      cell: ({ id, label, buyer }) => (
        <>
          <Name href={keyAddress(id)}>{label}</Name>
          {buyer !== "" && <small>for {buyer}</small>}
        </>
      ),
      sort: ({ label }) => label,
    },
    KEY_COLUMNS.state,
    KEY_COLUMNS.prefix,
    {
      title: "Sees",
      cell: ({ products, revokedAt }) =>
        revokedAt === null && products > 0 ? (
          formatCount(products, "product")
        ) : (
          <span class={revokedAt === null ? "tone warn" : "soft"}>Nothing</span>
        ),
      sort: ({ products }) => products,
    },
    KEY_COLUMNS.lastUsed,
  ],
  empty: <Empty title="No buyer keys yet" text="Agents see products only with a key. Create one for each buyer." />,
}

export const revokeBuyerKeyForm = askFirst({
  async find({ read, params }: SignedInVisit) {
    const keys = await buyerKeys(read)
    return orNotFound(keys.find(({ id, revokedAt }) => id === params["key"] && revokedAt === null))
  },
  ask: (_, { id, label }) => ({
    title: `Revoke the buyer key “${label}”?`,
    text: "Requests with it are refused, and its order links stop working. This can’t be undone, but you can create a new key.",
    submit: "Revoke buyer key",
    cancel: keyAddress(id),
  }),
  async act(visit, { id, label }) {
    orNotFound(await revokeBuyerKey(visit.context, visit.actor, id))
    return goTo(visit, BUYER_KEYS, `“${label}” is revoked and no longer works.`)
  },
})
