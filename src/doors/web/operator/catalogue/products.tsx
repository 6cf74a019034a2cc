import {
  bodySeen,
  changeProduct,
  deleteProduct,
  problemsOfProduct,
} from "../../../../actions/catalogue/edit-catalogue.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { productIdOf } from "../../../../domain/import/import-plan.ts"
import { capitalized, cutText } from "../../../../domain/text/short-text.ts"
import { nextTurn } from "../../../../next-turn.ts"
import type { SellerScope } from "../../../../storage/port/store.ts"
import { draftFrom } from "../../agent-sales/draft.tsx"
import { activeKeys, productTabs, territoriesIn, whoSees, whoSeesHref } from "../../agent-sales/opening.tsx"
import { demandLately, latelyInWords } from "../../agent-sales/overview.tsx"
import { salesPage, salesTrail } from "../../agent-sales/section.tsx"
import { shortCountries } from "../../agent-sales/words.ts"
import { FORMATS, itemAddress, PRODUCT, PRODUCTS } from "../../frame/navigation.ts"
import { askFirst, forAdmin, forOperator } from "../../guards.ts"
import { listing } from "../../lists.tsx"
import { Badge, ButtonLink, Empty } from "../../parts/blocks.tsx"
import { labelled } from "../../parts/form/editing.tsx"
import { dotted, listInWords } from "../../parts/format.tsx"
import { AskButton, done, goTo, headedPage, problem, type Question } from "../../respond.tsx"
import { scopeOf } from "../../sale/with-order.ts"
import { type OrganizationVisit, type PersonVisit, param } from "../../visit.ts"
import { type Editor, editorRoutes } from "./editor.tsx"
import { firstPrice, newPrice, PRICES, priceErrors, pricesInWords, pricesOf } from "./prices.tsx"
import { bodyOf, errorsOf, listIn, soldSomewhere, textIn, textsOfProduct } from "./product-body.ts"
import { productFields, usualDomains } from "./product-form.tsx"
import { openToIn } from "./show-to.tsx"
import { spoken } from "./words.ts"

interface ListedProduct {
  readonly id: string
  readonly product: Product
  /** The name of its seller; null where it has none. */
  readonly seller: string | null
  /** Labels of the active keys that see it, and where. */
  readonly openTo: readonly string[]
  readonly countries: readonly string[]
  /** How often it was in an answer in the last days. */
  readonly shown: number
}

async function productsOf(visit: PersonVisit, scope: SellerScope | null = null): Promise<ListedProduct[]> {
  const products = await visit.context.store.catalogue.products(scope)
  await nextTurn()
  const keys = await activeKeys(visit)
  const all = keys.flatMap(({ label, openings }) => openings.map((opening) => ({ ...opening, label })))
  const opened = Map.groupBy(all, ({ productId }) => productId)
  const { sellers } = await visit.context.store.catalogue.contents()
  const names = new Map((await visit.context.store.organizations.list()).map(({ slug, name }) => [slug, name]))
  const shown = products.length === 0 ? null : await demandLately(visit, "products")
  return products.map(({ productId, body }) => {
    const openings = opened.get(productId) ?? []
    return {
      id: productId,
      product: { ...EMPTY, name: productId, ...(body as object) } as unknown as Product,
      seller: names.get(sellers.get(productId) ?? "") ?? null,
      openTo: openings.map(({ label }) => label),
      countries: territoriesIn(openings),
      shown: shown?.get(productId)?.calls ?? 0,
    }
  })
}

// One that somebody broke by hand is listed, too, so that it can be deleted.
const EMPTY = { description: "", pricing_options: [], reporting_capabilities: { available_metrics: [] } }

/** For an operator with ways to change it; for a seller to read. */
const listed = <Seen extends PersonVisit>(isOperator: boolean, rows: (visit: Seen) => Promise<ListedProduct[]>) =>
  listing<Seen, ListedProduct>({
    what: "products",
    searched: "products",
    states: { open: "On sale", closed: "Drafts" },
    rules: {
      searched: ({ id, product }) => `${id}\n${product.name}`,
      states: { open: ({ openTo }) => openTo.length > 0, closed: ({ openTo }) => openTo.length === 0 },
      sorts: { name: ({ product }) => product.name, keys: ({ openTo }) => openTo.length, shown: ({ shown }) => shown },
      largestFirst: ["keys", "shown"],
    },
    rows,
    columns: async (visit) => [
      {
        title: "Product",
        sortBy: "name",
        value: ({ product }) => product.name,
        href: ({ id }) => (isOperator ? itemAddress(PRODUCT, id) : null),
        note: ({ product, seller }) =>
          isOperator
            ? dotted(channelsOf(product), ...(seller === null ? [] : [`Sold by ${seller}`]))
            : `${channelsOf(product)}. ${cutText(product.description, 160)}`,
      },
      {
        title: "State",
        narrow: "corner",
        cell: ({ openTo }) =>
          openTo.length > 0 ? <Badge tone="good">On sale</Badge> : <Badge shape="ring">Draft</Badge>,
        value: ({ openTo }) => (openTo.length > 0 ? "open" : "draft"),
      },
      { title: "Price", value: ({ product }) => pricesOf(product) },
      {
        title: "Who sees it",
        sortBy: "keys",
        narrow: "wide",
        cell: (product) => (isOperator ? <WhoSees of={product} /> : seenBy(product)),
        value: ({ openTo }) => openTo.join("; "),
      },
      {
        title: `Shown in ${await latelyInWords(visit)}`,
        sortBy: "shown",
        narrow: "large",
        value: ({ shown }) => shown,
        numeric: true,
      },
    ],
    empty: !isOperator && (
      <Empty title="No products yet" text="The operator of this installation adds what you sell." />
    ),
    file: () => "products",
    inFile: [
      { title: "Sold by", value: ({ seller }) => seller },
      { title: "Id", value: ({ id }) => id },
      { title: "Countries", value: ({ countries }) => countries.join(" ") },
      { title: "Channels", value: ({ product }) => (product.channels ?? []).join(" ") },
      { title: "Delivery", value: ({ product }) => product.delivery_type },
    ],
  })

const all = listed<PersonVisit>(true, (visit) => productsOf(visit))
const own = listed<OrganizationVisit>(false, async (visit) => productsOf(visit, await scopeOf(visit)))

const channelsOf = ({ channels = [] }: Product) => capitalized(channels.map(spoken).join(", "))

const seenBy = ({ openTo, countries }: ListedProduct) =>
  openTo.length === 0 ? "Nobody yet" : dotted(listInWords(openTo, 3), shortCountries(countries))

function WhoSees({ of: { id, product, openTo, countries } }: { readonly of: ListedProduct }) {
  const isOpen = openTo.length > 0
  const label = isOpen ? listInWords(openTo, 3) : "Show it to a buyer"
  return [
    <a href={whoSeesHref(id)} aria-label={`${label}: ${isOpen ? "who sees " : ""}${product.name}`}>
      {label}
    </a>,
    isOpen && ` · ${shortCountries(countries)}`,
  ]
}

const sellersList = async (visit: OrganizationVisit) =>
  headedPage(visit, {
    title: "Products",
    intro: "What buyers’ agents are shown of what you sell. The operator of this installation changes it.",
    body: await own.view(visit),
  })

const list = async (visit: PersonVisit): Promise<Response> =>
  salesPage(visit, {
    title: "Products",
    tab: PRODUCTS,
    intro: "What buyers’ agents can find. A product is a draft until you show it to a buyer.",
    actions: [
      <ButtonLink icon="layout" href={FORMATS} label="Formats" />,
      <ButtonLink kind="primary" icon="plus" href={`${PRODUCTS}/new`} label="New product" />,
    ],
    body: await all.view(visit),
  })

async function find(visit: PersonVisit) {
  const id = param(visit, "product")
  const { products, sellers } = await visit.context.store.catalogue.contents()
  if (!products.has(id)) return null
  const [body, seller] = [products.get(id), sellers.get(id)]
  return { id, name: nameOf(body), body, seller, seen: bodySeen(body, seller) }
}

type Stored = NonNullable<Awaited<ReturnType<typeof find>>>

const deleteQuestion = ({ id, name }: Stored): Question => ({
  title: `Delete ${name}?`,
  href: itemAddress(PRODUCT, id, "delete"),
  submit: "Delete product",
  text: "Buyers’ agents no longer find it. This cannot be undone.",
})

async function remove(visit: PersonVisit, { id, name }: Stored): Promise<Response> {
  const [reason] = await deleteProduct(visit.context, id, visit.actor)
  return goTo(visit, PRODUCTS, reason ? problem(`${name} ${reason.message}.`) : done(`${name} has been deleted.`))
}

const nameOf = (body: unknown): string => String(textsOfProduct(body)["name"])

const editor: Editor<Stored> = {
  what: "product",
  list: PRODUCTS,
  trail: salesTrail(PRODUCTS),
  page: PRODUCT,
  find,
  idField: "product_id",
  lists: PRICES,
  newRow: newPrice,
  textsOf: async (stored, visit) =>
    stored === null
      ? draftFrom(visit, {
          ...textsOfProduct(null),
          ...(await firstPrice(visit)),
          publishers: (await usualDomains(visit, "")).join("\n"),
        })
      : { ...textsOfProduct(stored.body), seller: stored.seller ?? "" },
  typedBody(typed, stored) {
    const body = bodyOf(typed, stored?.body)
    // A name without Latin letters or digits makes no ID.
    const missing = productIdOf(body) === "" && nameOf(body) !== "" && { product_id: "Enter a product ID." }
    return { body, errors: { ...priceErrors(typed, listIn(typed, "metrics")), ...missing } }
  },
  problemErrors: errorsOf,
  fields: productFields,
  label: (name) => (name.startsWith("prices.") ? "Prices" : LABELS(name)),
  words(texts) {
    if (Object.keys(texts).some((name) => name.startsWith("prices."))) return pricesInWords(texts)
    const [codes] = ["channels", "metrics", "delivery_type"].flatMap((name) => texts[name] ?? [])
    return codes === undefined ? null : Object.values(texts).flat().map(spoken).join(", ")
  },
  head: (stored, address) => ({
    actions: <AskButton label="Delete" question={deleteQuestion(stored)} />,
    tabs: productTabs(stored.id, address),
  }),
  below: whoSees,
  async save(visit, stored, typed, seen, texts) {
    const { context, actor } = visit
    const owner = texts["seller"] === undefined ? (stored?.seller ?? "") : textIn(texts, "seller")
    const body = soldSomewhere(typed, await usualDomains(visit, owner))
    const id = productIdOf(body)
    const pointer = "/product_id"
    if (stored !== null && id !== stored.id) {
      return [{ pointer, message: `must stay "${stored.id}": buyers and keys refer to the product by it` }]
    }
    const shown = stored === null ? openToIn(texts) : {}
    if ("problem" in shown) return [shown.problem, ...(await problemsOfProduct(context, body))]
    // Not asked where only one organization sells: then it stays.
    const sale = { ...shown, ...(texts["seller"] !== undefined && { seller: textIn(texts, "seller") || null }) }
    const outcome = await changeProduct(context, body, { seen, actor }, sale)
    return outcome === "changed" && stored === null ? [{ pointer, message: `"${id}" is already taken` }] : outcome
  },
  saved(visit, stored, body, texts) {
    const [name, href] = [nameOf(body), whoSeesHref(productIdOf(body))]
    const isDraft = stored === null && listIn(texts, "open_to").length === 0
    const said = isDraft
      ? done(`${name} has been saved. It is a draft until you show it to a buyer.`, href, "Show it to a buyer")
      : done(`${name} has been saved.`, href, "Who sees it")
    return goTo(visit, PRODUCTS, said)
  },
}

const LABELS = labelled({
  product_id: "Product ID",
  seller: "Sold by",
  publishers: "Publisher’s domain",
  formats: "Accepted formats",
})

export const productRoutes = [
  forAdmin("GET", "/app/o/:org/products", sellersList),
  forAdmin("GET", "/app/o/:org/products.csv", own.csv),
  forOperator("GET", PRODUCTS, list),
  forOperator("GET", `${PRODUCTS}.csv`, all.csv),
  ...askFirst(forOperator, `${PRODUCT}/:product/delete`, find, remove, (_, stored) => deleteQuestion(stored)),
  ...editorRoutes(editor),
]
