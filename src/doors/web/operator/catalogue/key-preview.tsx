import { type Preview, previewAgentKey } from "../../../../actions/keys/preview-agent-key.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { ButtonLink } from "../../parts/button-link.tsx"
import { Empty } from "../../parts/empty.tsx"
import { Field } from "../../parts/form/field.tsx"
import { FilterBar } from "../../parts/form/filters.tsx"
import { headedPage } from "../../parts/page-kinds.tsx"
import { listCsv } from "../../parts/table/list-csv.ts"
import { type Column, Table } from "../../parts/table/table.tsx"
import { forOperator, withFound } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { AGENT_KEY, AGENT_KEYS, at, OPENINGS, PRODUCT } from "../navigation.ts"
import { asJson } from "./json-form.ts"
import { pricesOf } from "./prices.ts"

// Keeps the page small; the agent gets the whole answer.
const ROWS_SHOWN = 100
const JSON_SHOWN = 10

function territoriesOf({ ext }: Product): string {
  const { territories } = (ext as { adbooth?: { territories?: string[] } } | undefined)?.adbooth ?? {}
  return (territories ?? []).map((code) => (code === "*" ? "everywhere" : code)).join(", ")
}

const COLUMNS: readonly Column<Product>[] = [
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
  { title: "Where", value: territoriesOf },
  { title: "Price", value: pricesOf },
  { title: "Why", value: ({ brief_relevance }) => brief_relevance ?? "" },
]

const CSV_COLUMNS: readonly Column<Product>[] = [{ title: "Id", value: ({ product_id }) => product_id }, ...COLUMNS]

const briefOf = ({ url }: PersonVisit): string => (url.searchParams.get("brief") ?? "").trim()

function previewOf(visit: PersonVisit): Promise<Preview | null> {
  const brief = briefOf(visit)
  return previewAgentKey(visit.context, param(visit, "key"), brief === "" ? undefined : brief)
}

function show(visit: PersonVisit, { id, label, products }: Preview): Response {
  const openings = `${OPENINGS}?key=${id}`
  return headedPage(visit, {
    title: `What ${label} sees`,
    active: AGENT_KEYS,
    trail: [{ href: AGENT_KEYS, label: "Agent keys" }],
    csv: `${at(AGENT_KEY, id, "sees.csv")}${visit.url.search}`,
    actions: <ButtonLink href={openings} label="Change openings" />,
    intro: (
      <p class="soft">
        What <code>get_products</code> returns for this key right now.
      </p>
    ),
    body: (
      <>
        <FilterBar action={at(AGENT_KEY, id, "sees")} url={visit.url} isFiltered={briefOf(visit) !== ""}>
          <Field name="brief" label="With a brief" type="search" placeholder="podcast listeners who plan trips" />
        </FilterBar>
        {products.length === 0 ? (
          <Empty title="It sees no products" text="Open one to it: enter countries in the table of openings.">
            <ButtonLink kind="primary" href={openings} label="Open products" />
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section class="json" aria-label="Products as JSON" tabIndex={0}>
          <pre>{asJson(products.slice(0, JSON_SHOWN))}</pre>
        </section>
      </details>
    </>
  )
}

const SEES = `${AGENT_KEY}/:key/sees`

export const keyPreviewRoutes = [
  forOperator("GET", SEES, withFound(previewOf, show)),
  forOperator(
    "GET",
    `${SEES}.csv`,
    withFound(previewOf, (_, { products }) => listCsv("what-it-sees", CSV_COLUMNS, products)),
  ),
]
