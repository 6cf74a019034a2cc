import { bodyRevision, changeProduct, deleteProduct } from "../../../../actions/catalogue/edit-catalogue.ts"
import { listFormats } from "../../../../actions/catalogue/list-formats.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { nextTurn } from "../../../../domain/event-loop.ts"
import { productIdOf } from "../../../../domain/import/import-plan.ts"
import type { ListRules } from "../../../../domain/lists/list-query.ts"
import { pageNotFound } from "../../error-pages.tsx"
import { at, OPENINGS, PRODUCT, PRODUCTS } from "../../frame/navigation.ts"
import { askedPage, askedRows, type ListColumn, ListView } from "../../lists.tsx"
import { AskFirst, ButtonLink } from "../../parts/buttons.tsx"
import { Empty } from "../../parts/feedback.tsx"
import { labelled } from "../../parts/form/conflict.tsx"
import { confirmPage, headedPage } from "../../parts/page.tsx"
import { listCsv } from "../../parts/table.tsx"
import { done, goTo, problem } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { type Editor, editorRoutes } from "./editor.tsx"
import { changedRows, isPriceName, priceErrors, pricesOf, withoutPrices } from "./prices.tsx"
import {
  bodyOf,
  errorsOf,
  fieldsOf,
  type ProductFields,
  ProductFieldset,
  readFields,
  richPartsOf,
} from "./product-form.tsx"

interface ListedProduct {
  readonly id: string
  readonly product: Product
  /** Labels of the active keys that see it. */
  readonly openTo: readonly string[]
}

const RULES: ListRules<ListedProduct> = {
  searched: ({ id, product }) => `${id}\n${product.name}`,
  states: { open: ({ openTo }) => openTo.length > 0, closed: ({ openTo }) => openTo.length === 0 },
  sorts: {
    name: ({ product }) => product.name,
    channels: ({ product }) => product.channels?.join(", ") ?? null,
    delivery: ({ product }) => product.delivery_type,
    keys: ({ openTo }) => openTo.length,
  },
  largestFirst: ["keys"],
}

async function productsOf({ context: { store } }: PersonVisit): Promise<ListedProduct[]> {
  const products = await store.catalogue.products()
  await nextTurn()
  const keys = await store.agentKeys.list()
  const active = keys.filter(({ revokedAt }) => revokedAt === null)
  const opened = Map.groupBy(
    active.flatMap(({ label, openings }) => openings.map(({ productId }) => ({ productId, label }))),
    ({ productId }) => productId,
  )
  return products.map(({ productId, body }) => ({
    id: productId,
    product: body as Product,
    openTo: (opened.get(productId) ?? []).map(({ label }) => label),
  }))
}

const COLUMNS: readonly ListColumn<ListedProduct>[] = [
  {
    title: "Product",
    sortBy: "name",
    cell: ({ id, product }) => (
      <a class="name" href={at(PRODUCT, id)}>
        {product.name}
      </a>
    ),
    value: ({ product }) => product.name,
  },
  { title: "ID", phone: "roomy", cell: ({ id }) => <code class="soft">{id}</code> },
  {
    title: "Channels",
    sortBy: "channels",
    cell: ({ product }) => (product.channels ?? []).join(", "),
    value: ({ product }) => (product.channels ?? []).join(" "),
  },
  {
    title: "Delivery",
    sortBy: "delivery",
    cell: ({ product }) => (product.delivery_type === "guaranteed" ? "guaranteed" : "not guaranteed"),
    value: ({ product }) => product.delivery_type,
  },
  { title: "Price", value: ({ product }) => pricesOf(product) },
  {
    title: "Open to",
    sortBy: "keys",
    cell: ({ openTo }) => (openTo.length === 0 ? <span class="soft">nobody</span> : openTo.join(", ")),
    value: ({ openTo }) => openTo.join("; "),
  },
]

const CSV_COLUMNS: readonly ListColumn<ListedProduct>[] = [{ title: "Id", value: ({ id }) => id }, ...COLUMNS]

async function list(visit: PersonVisit): Promise<Response> {
  const { url } = visit
  const products = await productsOf(visit)
  await nextTurn()
  const create = `${PRODUCTS}/new`
  const empty = (
    <Empty title="No products yet" text={NO_PRODUCTS}>
      <ButtonLink kind="primary" href={create} label="Create the first product" />
    </Empty>
  )
  return headedPage(visit, {
    title: "Products",
    active: PRODUCTS,
    actions: <ButtonLink kind="primary" href={create} label="New product" />,
    intro: (
      <p class="soft">
        What buyers' agents can find. A product is seen only by the keys that it is <a href={OPENINGS}>open to</a>.
      </p>
    ),
    body: (
      <ListView
        url={url}
        list={askedPage(url, RULES, products)}
        rules={RULES}
        what="products"
        searched="names and IDs"
        states={{ open: "Open", closed: "Open to nobody" }}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        csv={`${PRODUCTS}.csv${url.search}`}
        empty={empty}
      />
    ),
  })
}

const NO_PRODUCTS =
  "Describe one thing that you sell: what it is, on which site or show, in which formats, for what price. Then open it to a buyer's key."

async function findProduct(visit: PersonVisit): Promise<ListedProduct | undefined> {
  const id = param(visit, "product")
  return (await productsOf(visit)).find((one) => one.id === id)
}

function askDelete(visit: PersonVisit, { id, product, openTo }: ListedProduct): Response {
  const effect =
    openTo.length === 0 ? "No key sees it at the moment." : `It disappears at once for ${openTo.join(", ")}.`
  return confirmPage(visit, {
    title: "Delete product",
    active: PRODUCTS,
    question: `Delete ${product.name}?`,
    action: at(PRODUCT, id, "delete"),
    submit: "Delete product",
    cancel: at(PRODUCT, id),
    text: `${effect} This cannot be undone.`,
  })
}

async function remove(visit: PersonVisit): Promise<Response> {
  const id = param(visit, "product")
  const known = (await visit.context.store.catalogue.products()).some(({ productId }) => productId === id)
  if (!known) return pageNotFound(visit)
  const [complaint] = await deleteProduct(visit.context, id, visit.actor)
  const flash = complaint === undefined ? done(`${id} has been deleted.`) : problem(`${id} ${complaint.message}.`)
  return goTo(visit, PRODUCTS, flash)
}

type Stored = Readonly<{ id: string; body: unknown }>

const editor: Editor<Stored, ProductFields> = {
  what: "product",
  list: { href: PRODUCTS, label: "Products" },
  page: PRODUCT,
  jsonRows: 28,
  async find(visit) {
    const id = param(visit, "product")
    const { products } = await visit.context.store.catalogue.contents()
    return products.has(id) ? { id, body: products.get(id) } : null
  },
  nameOf: ({ body }) => fieldsOf(body).name,
  revisionSeen: (stored) => bodyRevision(stored?.body),
  bodyOf: (stored) => stored?.body ?? bodyOf(fieldsOf(null), null),
  typedOf: (stored) => fieldsOf(stored?.body),
  readTyped: (form, stored) => ({ ...readFields(form), ...(stored !== null && { product_id: stored.id }) }),
  changedRows(form, typed) {
    const rows = changedRows(form, typed)
    return rows && { ...withoutPrices(typed), ...rows }
  },
  typedBody: (typed, stored) => ({ body: bodyOf(typed, stored?.body), errors: priceErrors(typed) }),
  problemErrors: errorsOf,
  async fields(visit, stored, { typed }, jsonHref) {
    const formats = (await listFormats(visit.context)).filter(({ state }) => state !== "hidden")
    return (
      <ProductFieldset
        fields={typed}
        isNew={stored === null}
        rich={richPartsOf(stored?.body)}
        formats={formats.map(({ id, name }) => ({ value: id, label: name }))}
        jsonHref={jsonHref}
      />
    )
  },
  label: (name) => (isPriceName(name) ? "Prices" : LABELS(name)),
  actions: ({ id, body }) => (
    <AskFirst
      id="delete-product"
      href={at(PRODUCT, id, "delete")}
      label="Delete"
      question={`Delete ${fieldsOf(body).name}?`}
      submit="Delete product"
      quiet
    >
      <p>It is closed to every key, and buyers' agents no longer find it. This cannot be undone.</p>
    </AskFirst>
  ),
  submit: () => "Save product",
  saveNote: () => "Agents see changes at once.",
  async save({ context, actor }, stored, body, seen) {
    const id = productIdOf(body)
    const pointer = "/product_id"
    if (stored !== null && id !== stored.id) {
      return [{ pointer, message: `must stay "${stored.id}": buyers and keys refer to the product by it` }]
    }
    const outcome = await changeProduct(context, body, { seen, actor })
    return outcome === "changed" && stored === null ? [{ pointer, message: `"${id}" is already taken` }] : outcome
  },
  saved(visit, stored, body) {
    const { name } = fieldsOf(body)
    if (stored !== null) return goTo(visit, PRODUCTS, done(`${name} has been saved.`))
    return goTo(visit, OPENINGS, done(`${name} has been saved. Nobody sees it until you open it to a key.`))
  },
}

const LABELS = labelled({
  product_id: "Product id",
  publishers: "Publisher domains",
  formats: "Accepted formats",
})

export const productRoutes = [
  forOperator("GET", PRODUCTS, list),
  forOperator("GET", `${PRODUCTS}.csv`, async (visit) =>
    listCsv("products", CSV_COLUMNS, askedRows(visit.url, RULES, await productsOf(visit))),
  ),
  forOperator("GET", `${PRODUCT}/:product/delete`, withFound(findProduct, askDelete)),
  forOperator("POST", `${PRODUCT}/:product/delete`, remove),
  ...editorRoutes(editor),
]
