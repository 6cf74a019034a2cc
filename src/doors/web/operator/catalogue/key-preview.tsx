import { type Preview, previewAgentKey } from "../../../../actions/keys/preview-agent-key.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { pageNotFound } from "../../pages/refusals.tsx"
import { Field } from "../../parts/field.tsx"
import { CsvLink, FilterBar, JsonView } from "../../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../../parts/listing.ts"
import { Table } from "../../parts/table.tsx"
import { Empty, Heading } from "../../parts/widgets.tsx"
import { page } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { AGENT_KEY, AGENT_KEYS, at, OPENINGS, PRODUCT } from "../navigation.ts"
import { pricesOf } from "./prices.ts"

// A light page: a long answer is cut here, not for the agent.
const ROWS_SHOWN = 100
const JSON_SHOWN = 10

function territoriesOf({ ext }: Product): string {
  const { territories } = (ext as { adbooth?: { territories?: string[] } } | undefined)?.adbooth ?? {}
  return (territories ?? []).map((code) => (code === "*" ? "everywhere" : code)).join(", ")
}

const COLUMNS: readonly ListColumn<Product>[] = [
  {
    title: "Product",
    cell: ({ product_id, name, description }) => (
      <>
        <a href={at(PRODUCT, product_id)}>{name}</a>
        <p class="soft">{description}</p>
      </>
    ),
    value: ({ name }) => name,
  },
  { title: "Where", cell: territoriesOf, value: territoriesOf },
  { title: "Price", cell: pricesOf, value: pricesOf },
  { title: "Why", cell: ({ brief_relevance }) => brief_relevance ?? "", value: (one) => one.brief_relevance ?? "" },
]

const CSV_COLUMNS: readonly ListColumn<Product>[] = [
  { title: "Id", cell: ({ product_id }) => product_id, value: ({ product_id }) => product_id },
  ...COLUMNS,
]

const briefOf = ({ url }: PersonVisit): string => (url.searchParams.get("brief") ?? "").trim()

function previewOf(visit: PersonVisit): Promise<Preview | null> {
  const brief = briefOf(visit)
  return previewAgentKey(visit.context, param(visit, "key"), brief === "" ? undefined : brief)
}

async function show(visit: PersonVisit): Promise<Response> {
  const preview = await previewOf(visit)
  if (preview === null) return pageNotFound(visit)
  const { id, label, products } = preview
  const brief = briefOf(visit)
  return page(visit, {
    title: `What ${label} sees`,
    active: AGENT_KEYS,
    body: (
      <>
        <Heading
          title={`What ${label} sees`}
          trail={[{ href: AGENT_KEYS, label: "Agent keys" }]}
          actions={
            <>
              <CsvLink href={`${at(AGENT_KEY, id, "sees.csv")}${visit.url.search}`} />
              <a class="button" href={`${OPENINGS}?key=${id}`}>
                Change what is open
              </a>
            </>
          }
        >
          <p class="soft">
            The answer of <code>get_products</code> to this key, as it is at this moment.
          </p>
        </Heading>
        <FilterBar action={at(AGENT_KEY, id, "sees")} isFiltered={brief !== ""}>
          <Field
            name="brief"
            label="With a brief"
            type="search"
            value={brief}
            placeholder="podcast listeners who plan trips"
          />
        </FilterBar>
        {products.length === 0 ? (
          <Empty title="It sees no product">
            <p>Open one to it: type the countries into a field of the table.</p>
            <a class="button primary" href={`${OPENINGS}?key=${id}`}>
              Open products
            </a>
          </Empty>
        ) : (
          <Answer products={products} />
        )}
      </>
    ),
  })
}

function Answer({ products }: Pick<Preview, "products">) {
  return (
    <>
      <p class="soft">{products.length === 1 ? "1 product" : `${products.length} products`}</p>
      <Table
        caption="Products that this key sees"
        columns={COLUMNS}
        rows={products.slice(0, ROWS_SHOWN)}
        rowKey={({ product_id }) => product_id}
      />
      <details>
        <summary>{`As JSON${products.length > JSON_SHOWN ? `, the first ${JSON_SHOWN}` : ""}`}</summary>
        <JsonView label="Products as JSON" value={products.slice(0, JSON_SHOWN)} />
      </details>
    </>
  )
}

export const keyPreviewRoutes = [
  forOperator("GET", `${AGENT_KEY}/:key/sees`, show),
  forOperator("GET", `${AGENT_KEY}/:key/sees.csv`, async (visit) => {
    const preview = await previewOf(visit)
    return preview === null ? pageNotFound(visit) : listCsv("what-it-sees", CSV_COLUMNS, preview.products)
  }),
]
