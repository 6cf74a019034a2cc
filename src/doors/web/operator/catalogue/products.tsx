import { deleteProduct } from "../../../../actions/catalogue/edit-catalogue.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { pageNotFound } from "../../pages/refusals.tsx"
import { Field } from "../../parts/field.tsx"
import { Confirm } from "../../parts/form.tsx"
import { CsvLink, FilterBar } from "../../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../../parts/listing.ts"
import { Pager, Table } from "../../parts/table.tsx"
import { Empty, Heading } from "../../parts/widgets.tsx"
import { done, goTo, page, problem } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import { sliceOf } from "../../slice.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { yieldToEventLoop } from "../../yield-to-event-loop.ts"
import { at, OPENINGS, PRODUCT, PRODUCTS } from "../navigation.ts"
import { pricesOf } from "./prices.ts"

interface ListedProduct {
  readonly id: string
  readonly product: Product
  /** Labels of the active keys that see it. */
  readonly openTo: readonly string[]
}

async function productsOf({ context: { store }, url }: PersonVisit): Promise<ListedProduct[]> {
  const wanted = textOf(url).toLowerCase()
  const [products, keys] = await Promise.all([store.catalogue.products(), store.agentKeys.list()])
  const active = keys.filter(({ revokedAt }) => revokedAt === null)
  const opened = Map.groupBy(
    active.flatMap(({ label, openings }) => openings.map(({ productId }) => ({ productId, label }))),
    ({ productId }) => productId,
  )
  const listed = products.map(({ productId, body }) => ({
    id: productId,
    product: body as Product,
    openTo: (opened.get(productId) ?? []).map(({ label }) => label),
  }))
  return listed.filter(({ id, product }) => `${id} ${product.name}`.toLowerCase().includes(wanted))
}

const textOf = (url: URL): string => (url.searchParams.get("text") ?? "").trim()

const COLUMNS: readonly ListColumn<ListedProduct>[] = [
  {
    title: "Product",
    cell: ({ id, product }) => (
      <>
        <a href={at(PRODUCT, id)}>{product.name}</a>
        <br />
        <code class="soft">{id}</code>
      </>
    ),
    value: ({ product }) => product.name,
  },
  {
    title: "Channels",
    cell: ({ product }) => (product.channels ?? []).join(", "),
    value: ({ product }) => (product.channels ?? []).join(" "),
  },
  {
    title: "Delivery",
    cell: ({ product }) => (product.delivery_type === "guaranteed" ? "guaranteed" : "not guaranteed"),
    value: ({ product }) => product.delivery_type,
  },
  { title: "Price", cell: ({ product }) => pricesOf(product), value: ({ product }) => pricesOf(product) },
  {
    title: "Open to",
    cell: ({ openTo }) => (openTo.length === 0 ? <span class="soft">nobody</span> : openTo.join(", ")),
    value: ({ openTo }) => openTo.join("; "),
  },
]

const CSV_COLUMNS: readonly ListColumn<ListedProduct>[] = [
  { title: "Id", cell: ({ id }) => id, value: ({ id }) => id },
  ...COLUMNS,
]

async function list(visit: PersonVisit): Promise<Response> {
  const products = await productsOf(visit)
  const { shown, previous, next } = sliceOf(visit.url, products)
  await yieldToEventLoop()
  const text = textOf(visit.url)
  return page(visit, {
    title: "Products",
    active: PRODUCTS,
    body: (
      <>
        <Heading
          title="Products"
          actions={
            <>
              <CsvLink href={`${PRODUCTS}.csv${visit.url.search}`} />
              <a class="button primary" href={`${PRODUCTS}/new`}>
                New product
              </a>
            </>
          }
        >
          <p class="soft">
            What buyers' agents can find. A product is seen only by the keys that it is <a href={OPENINGS}>open to</a>.
          </p>
        </Heading>
        {(products.length > 0 || text !== "") && (
          <FilterBar action={PRODUCTS} isFiltered={text !== ""}>
            <Field name="text" label="Name or id" type="search" value={text} />
          </FilterBar>
        )}
        {products.length === 0 && text === "" ? (
          <Empty title="No product yet">
            <p>
              Describe one thing that you sell: what it is, on which site or show, in which formats, for what price.
              Then open it to a buyer's key.
            </p>
            <a class="button primary" href={`${PRODUCTS}/new`}>
              Describe the first product
            </a>
          </Empty>
        ) : (
          <Table caption="Products" columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
        )}
        <Pager previous={previous} next={next} previousLabel="Previous" nextLabel="More" />
      </>
    ),
  })
}

async function askDelete(visit: PersonVisit): Promise<Response> {
  const id = param(visit, "product")
  const found = (await productsOf(visit)).find((one) => one.id === id)
  if (found === undefined) return pageNotFound(visit)
  return page(visit, {
    title: "Delete product",
    active: PRODUCTS,
    body: (
      <Confirm
        title={`Delete ${found.product.name}?`}
        action={at(PRODUCT, id, "delete")}
        submit="Delete the product"
        cancel={at(PRODUCT, id)}
      >
        <p>
          {found.openTo.length === 0
            ? "No key sees it at the moment. "
            : `It vanishes at once for ${found.openTo.join(", ")}. `}
          This cannot be undone.
        </p>
      </Confirm>
    ),
  })
}

async function remove(visit: PersonVisit): Promise<Response> {
  const id = param(visit, "product")
  const known = (await visit.context.store.catalogue.products()).some(({ productId }) => productId === id)
  if (!known) return pageNotFound(visit)
  const [complaint] = await deleteProduct(visit.context, id, visit.actor)
  const flash = complaint === undefined ? done(`${id} is deleted.`) : problem(`${id} ${complaint.message}.`)
  return goTo(visit, PRODUCTS, flash)
}

export const productRoutes = [
  forOperator("GET", PRODUCTS, list),
  forOperator("GET", `${PRODUCTS}.csv`, async (visit) => listCsv("products", CSV_COLUMNS, await productsOf(visit))),
  forOperator("GET", `${PRODUCT}/:product/delete`, askDelete),
  forOperator("POST", `${PRODUCT}/:product/delete`, remove),
]
