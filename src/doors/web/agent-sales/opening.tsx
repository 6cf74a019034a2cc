import { editOpening } from "../../../actions/keys/openings.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { COUNTRY_CODES } from "../../../domain/countries.ts"
import { seenOf } from "../../../domain/edit-conflict.ts"
import { EVERYWHERE, normalTerritories, type Opening, readTerritories } from "../../../domain/keys/opening.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import type { ListedAgentKey as AgentKeyRow } from "../../../storage/port/store.ts"
import { AGENT_KEY, AGENT_KEYS, itemAddress, PRODUCT } from "../frame/navigation.ts"
import { forOperator } from "../guards.ts"
import { ButtonLink, Card, Empty } from "../parts/blocks.tsx"
import { CodeChips, CountryPicker, chosenCountries, countriesIn } from "../parts/form/choices.tsx"
import { type Editing, editingRoutes } from "../parts/form/editing.tsx"
import { Form } from "../parts/form/form.tsx"
import { BareTable, type Column, offsetOf, Pages, ROWS_PER_PAGE } from "../parts/table.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import { type PersonVisit, param } from "../visit.ts"
import { salesTrail } from "./section.tsx"

// Where one key sees one product: what the product's page and the key's page both show is changed here.

export async function activeKeys({ context: { store } }: PersonVisit): Promise<AgentKeyRow[]> {
  const active = (await store.agentKeys.list()).filter(({ revokedAt }) => revokedAt === null)
  return active.sort((a, b) => compareNames(a.label, b.label))
}

export const territoriesOf = ({ openings }: AgentKeyRow, productId: string): readonly string[] =>
  openings.find((opening) => opening.productId === productId)?.territories ?? []

/** Where a key sees anything, or a product is seen by anybody. */
export const territoriesIn = (openings: readonly Opening[]): string[] =>
  [...new Set(openings.flatMap(({ territories }) => territories))].sort()

const isOpenTo = (key: AgentKeyRow, productId: string) => territoriesOf(key, productId).length > 0

/** The form that opens a product to a key, or changes where it is open; with countries to add to those that are open. */
export function openingHref(productId: string, keyId: string, countries: readonly string[] = []): string {
  const query = countries.length === 0 ? "" : `?add=${countries.join(",")}`
  return `${itemAddress(PRODUCT, productId, "open", encodeURIComponent(keyId))}${query}`
}

export type FoundProduct = Readonly<{ id: string; name: string }>
type Found = Readonly<{ key: AgentKeyRow; product: FoundProduct }>

async function find(visit: PersonVisit): Promise<Found | null> {
  const product = await findProduct(visit)
  const key = await findKey(visit)
  return product === null || key === undefined ? null : { key, product }
}

const FIELD = "countries"
const ADD = `${FIELD}_add`

/** The countries that are ticked, and what was typed to be added; `all` is both, as one text. */
type Typed = Readonly<{ chosen: readonly string[]; added: string; all: string }>

const refused = (error: string) => ({ outcome: "refused", errors: { [ADD]: error } }) as const

const edit: Editing<PersonVisit, Found, Typed> = {
  find,
  start({ key, product }, { url }) {
    const wanted = (url.searchParams.get("add") ?? "").split(",").filter((code) => COUNTRY_CODES.has(code))
    const open = territoriesOf(key, product.id)
    const chosen = open.includes(EVERYWHERE) ? open : [...new Set([...open, ...wanted])]
    return { typed: { chosen, added: "", all: open.join(", ") }, seen: seenOf({ territories: open }) }
  },
  page(visit, { key, product }, { typed, ...draft }) {
    const isOpen = isOpenTo(key, product.id)
    const hint = isOpen
      ? "Remove all of them to hide the product from this buyer."
      : "The buyer’s agent sees it at once."
    return headedPage(visit, {
      title: isOpen ? `Where ${key.label} sees ${product.name}` : `Show ${product.name} to ${key.label}`,
      trail: [...salesTrail(AGENT_KEYS), { href: itemAddress(AGENT_KEY, key.id), label: key.label }],
      body: (
        <section class="card form-card">
          <Form
            action={openingHref(product.id, key.id)}
            submit={isOpen ? "Save" : "Show to this buyer"}
            cancel={itemAddress(AGENT_KEY, key.id)}
            draft={{ ...draft, typed: { [ADD]: typed.added } }}
          >
            <CountryPicker name={FIELD} label="In which countries?" chosen={typed.chosen} hint={hint} />
          </Form>
        </section>
      ),
    })
  },
  read: (form) => ({ ...chosenCountries(form.all(FIELD), form.text(ADD)), all: countriesIn(form, FIELD) }),
  async save(visit, { key, product }, { all }, by) {
    const read = readTerritories(all)
    if (!read.ok) return refused(read.message)
    const [territories, before] = [normalTerritories(read.codes), territoriesOf(key, product.id)]
    const [isOpened, isSame] = [territories.length > 0, territories.join() === before.join()]
    if (isSame && !isOpened) return refused("Choose at least one country.")
    if (!isSame) {
      const { outcome } = await editOpening(visit.context, key.id, { productId: product.id, territories }, by)
      if (outcome !== "done") return { outcome: outcome === "changed" ? outcome : "not found" }
    }
    const text = `${key.label} ${isOpened ? "now sees" : "no longer sees"} ${product.name}.`
    const said = done(isSame ? "No changes." : text, whoSeesHref(product.id), `Who sees ${product.name}`)
    return goTo(visit, itemAddress(AGENT_KEY, key.id), said)
  },
  compared: (mine, theirs) => ({ mine: { [FIELD]: mine.all }, theirs: { [FIELD]: theirs.all } }),
  conflict: ({ key, product }) => ({
    title: `Where ${key.label} sees ${product.name}`,
    what: "the countries",
    changes: [
      ["open product", key.id],
      ["close product", key.id],
    ],
    labels: () => "Countries",
  }),
}

export const findKey = async (visit: PersonVisit): Promise<AgentKeyRow | undefined> =>
  (await activeKeys(visit)).find(({ id }) => id === param(visit, "key"))

export const whoSeesHref = (productId: string): string => `${itemAddress(PRODUCT, productId)}#${WHO_SEES}`

export async function findProduct(visit: PersonVisit): Promise<FoundProduct | null> {
  const id = param(visit, "product")
  const { products } = await visit.context.store.catalogue.contents()
  const { name = id } = (products.get(id) ?? {}) as Partial<Product>
  return products.has(id) ? { id, name } : null
}

export const productTabs = (id: string, current: string) => ({
  label: "Product",
  current,
  tabs: [
    { href: itemAddress(PRODUCT, id), label: "Details" },
    { href: itemAddress(PRODUCT, id, "order-links"), label: "Order links" },
  ],
})

export const ONLY_WITH_KEY = "Buyers’ agents see your products only with a key."

const WHO_SEES = "who-sees"

/** The keys that see a product, and where: the same as on the page of each key. */
export async function whoSees(visit: PersonVisit, { id, name }: FoundProduct) {
  const keys = await activeKeys(visit)
  const sorted = [...keys.filter((key) => isOpenTo(key, id)), ...keys.filter((key) => !isOpenTo(key, id))]
  const from = offsetOf(visit.url, "start")
  const shown = sorted.slice(from, from + ROWS_PER_PAGE)
  return (
    <Card title="Who sees it" id={WHO_SEES} flush>
      {keys.length === 0 ? (
        <Empty title="No buyers’ keys yet" text={ONLY_WITH_KEY}>
          <ButtonLink kind="primary" href={`${AGENT_KEYS}#new-key`} label="Create a buyer’s key" />
        </Empty>
      ) : (
        [
          <BareTable caption={`Buyers’ keys that see ${name}`} columns={columnsOf(id)} rows={shown} />,
          <Pages url={visit.url} name="start" perPage={ROWS_PER_PAGE} count={keys.length} what="buyers’ keys" />,
        ]
      )}
    </Card>
  )
}

const columnsOf = (id: string): Column<AgentKeyRow>[] => [
  { title: "Buyer’s key", value: ({ label }) => label, href: (key) => itemAddress(AGENT_KEY, key.id) },
  {
    title: "Shown in",
    cell: (key) =>
      isOpenTo(key, id) ? <CodeChips codes={territoriesOf(key, id)} /> : <span class="soft">Hidden</span>,
  },
  {
    title: "Actions",
    narrow: "actions",
    cell: (key) => {
      const button = isOpenTo(key, id) ? CHANGE : SHOW
      return <ButtonLink small href={openingHref(id, key.id)} {...button} about={`${button.label}: ${key.label}`} />
    },
  },
]

const SHOW = { label: "Show to this buyer" }
const CHANGE = { label: "Change countries", kind: "quiet" } as const

const PATH = `${PRODUCT}/:product/open/:key`

export const openingRoutes = editingRoutes(forOperator, PATH, edit)
