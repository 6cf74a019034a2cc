import {
  type MissingProduct,
  type Preview,
  type PreviewQuestion,
  previewAgentKey,
} from "../../../../actions/keys/preview-agent-key.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { jsonObjectOf } from "../../../../domain/text/short-text.ts"
import { readTypedDay } from "../../../../domain/time/typed-day.ts"
import { AGENT_KEY, AGENT_KEYS, at, OPENINGS, PRODUCT } from "../../frame/navigation.ts"
import { offsetOf } from "../../paging.ts"
import { ButtonLink } from "../../parts/buttons.tsx"
import { Empty } from "../../parts/feedback.tsx"
import { DateField, Field } from "../../parts/form/fields.tsx"
import { FilterBar } from "../../parts/form/filters.tsx"
import { headedPage } from "../../parts/page.tsx"
import { type Column, listCsv, Pages, Table } from "../../parts/table.tsx"
import { forOperator, withFound } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { asJson } from "./json.ts"
import { pricesOf } from "./prices.tsx"

// Keeps the page small, and what is worked out for it.
const ROWS_SHOWN = 50
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

const MISSING_COLUMNS: readonly Column<MissingProduct>[] = [
  { title: "Product", cell: ({ id, name }) => <a href={at(PRODUCT, id)}>{name}</a>, value: ({ name }) => name },
  { title: "Why it is missing", value: ({ why }) => why },
]

function previewOf(visit: PersonVisit): Promise<Preview | null> {
  return previewAgentKey(visit.context, param(visit, "key"), typedQuestion(visit.url).question)
}

function show(visit: PersonVisit, preview: Preview): Response {
  const { id, label } = preview
  const openings = `${OPENINGS}?key=${id}`
  return headedPage(visit, {
    title: `What ${label} sees`,
    active: AGENT_KEYS,
    trail: [{ href: AGENT_KEYS, label: "Agent keys" }],
    csv: `${at(AGENT_KEY, id, "sees.csv")}${visit.url.search}`,
    actions: <ButtonLink href={openings} label="Change openings" />,
    intro: (
      <p class="soft">
        What <code>get_products</code> returns for this key right now, and why the other products are missing.
      </p>
    ),
    body: (
      <>
        <Question visit={visit} id={id} />
        <Answer visit={visit} preview={preview} openings={openings} />
      </>
    ),
  })
}

function Question({ visit: { url }, id }: { readonly visit: PersonVisit; readonly id: string }) {
  return (
    <FilterBar action={at(AGENT_KEY, id, "sees")} url={url} isFiltered={!typedQuestion(url).isEmpty}>
      <Field name="brief" label="With a brief" type="search" placeholder="podcast listeners who plan trips" />
      <Field name="countries" label="Countries" placeholder="DE, AT" />
      <Field name="channels" label="Channels" placeholder="podcast, ctv" />
      <DateField name="start_date" label="From" />
      <Field name="filters" label="Other filters (JSON)" placeholder='{"delivery_type": "guaranteed"}' />
      <Field name="text" label="Product" type="search" />
    </FilterBar>
  )
}

type AnswerProps = Readonly<{ visit: PersonVisit; preview: Preview; openings: string }>

function Answer({ visit: { url }, preview, openings }: AnswerProps) {
  const { isEmpty, error = preview.error } = typedQuestion(url)
  if (error !== undefined) return <Empty title="The agent would refuse this" text={error} />
  return (
    <>
      <SeenProducts url={url} preview={preview} openings={isEmpty ? openings : undefined} />
      {preview.missing.count > 0 && <MissingProducts url={url} missing={preview.missing} />}
    </>
  )
}

type SeenProps = Readonly<{ url: URL; preview: Preview; openings: string | undefined }>

function SeenProducts({ url, preview: { products, note }, openings }: SeenProps) {
  if (products.count === 0 && openings !== undefined) {
    return (
      <Empty title="It sees no products" text="Open one to it: enter countries in the table of openings.">
        <ButtonLink kind="primary" href={openings} label="Open products" />
      </Empty>
    )
  }
  const first = offsetOf(url, "start")
  const shown = products.slice(first, first + ROWS_SHOWN)
  return (
    <>
      <p class="soft">{`${counted(products.count)}. ${note}`.trim()}</p>
      {shown.length > 0 && (
        <Table
          caption="Products that this key sees"
          columns={
            shown.some(({ brief_relevance }) => brief_relevance)
              ? COLUMNS
              : COLUMNS.filter(({ title }) => title !== "Why")
          }
          rows={shown}
          rowKey={({ product_id }) => product_id}
        />
      )}
      <Pages url={url} perPage={ROWS_SHOWN} count={products.count} what="products" name="start" />
      {shown.length > 0 && <AsJson products={shown.slice(0, JSON_SHOWN)} isCut={products.count > JSON_SHOWN} />}
    </>
  )
}

const counted = (count: number) => (count === 1 ? "1 product" : `${count} products`)

function AsJson({ products, isCut }: { readonly products: readonly Product[]; readonly isCut: boolean }) {
  return (
    <details>
      <summary>{`As JSON${isCut ? `, ${JSON_SHOWN} of them` : ""}`}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="json" aria-label="Products as JSON" tabIndex={0}>
        <pre>{asJson(products)}</pre>
      </section>
    </details>
  )
}

function MissingProducts({ url, missing }: { readonly url: URL; readonly missing: Preview["missing"] }) {
  const first = offsetOf(url, "missing")
  return (
    <section class="stack">
      <h2>Missing from the answer</h2>
      <p class="soft">{counted(missing.count)}</p>
      <Table
        caption="Products that are missing, and why"
        columns={MISSING_COLUMNS}
        rows={missing.slice(first, first + ROWS_SHOWN)}
        rowKey={({ id }) => id}
      />
      <Pages url={url} perPage={ROWS_SHOWN} count={missing.count} what="missing products" name="missing" />
    </section>
  )
}

interface CsvRow {
  readonly id: string
  readonly seen: Product | undefined
  readonly name: string
  readonly why: string
}

const CSV_COLUMNS: readonly Column<CsvRow>[] = [
  { title: "Id", value: ({ id }) => id },
  { title: "Product", value: ({ name }) => name },
  { title: "Seen", value: ({ seen }) => (seen === undefined ? "no" : "yes") },
  { title: "Where", value: ({ seen }) => (seen === undefined ? "" : territoriesOf(seen)) },
  { title: "Price", value: ({ seen }) => (seen === undefined ? "" : pricesOf(seen)) },
  { title: "Why", value: ({ why }) => why },
]

const csvRows = ({ products, missing }: Preview): CsvRow[] => [
  ...products.slice(0).map((seen) => ({ id: seen.product_id, seen, name: seen.name, why: seen.brief_relevance ?? "" })),
  ...missing.slice(0).map((each) => ({ ...each, seen: undefined })),
]

const SEES = `${AGENT_KEY}/:key/sees`

export const keyPreviewRoutes = [
  forOperator("GET", SEES, withFound(previewOf, show)),
  forOperator(
    "GET",
    `${SEES}.csv`,
    withFound(previewOf, (_, preview) => listCsv("what-it-sees", CSV_COLUMNS, csvRows(preview))),
  ),
]

/** What was typed into the fields of the page, as the agent would be asked. */
interface TypedQuestion {
  readonly question: PreviewQuestion
  /** Why the filters that were typed as JSON cannot be read. */
  readonly error?: string
  readonly isEmpty: boolean
}

function typedQuestion({ searchParams: query }: URL): TypedQuestion {
  const typed = (name: string) => (query.get(name) ?? "").trim()
  const words = (name: string) =>
    typed(name)
      .split(/[\s,;]+/)
      .filter(Boolean)
  const [countries, channels] = [words("countries"), words("channels")]
  const json = typed("filters")
  const day = readTypedDay(typed("start_date"))
  // What is not a day is sent as it is: the agent says why it is refused.
  const from = day.ok ? day.day : typed("start_date")
  const others = json === "" ? {} : jsonObjectOf(json)
  const filters = {
    ...others,
    ...(countries.length > 0 && { countries: countries.map((code) => code.toUpperCase()) }),
    ...(channels.length > 0 && { channels: channels.map((channel) => channel.toLowerCase()) }),
    ...(from !== "" && { start_date: from }),
  }
  const question = {
    brief: typed("brief") || undefined,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    text: typed("text"),
  }
  return {
    question,
    ...(others === undefined && {
      error: 'Other filters must be a JSON object, such as {"delivery_type": "guaranteed"}.',
    }),
    isEmpty: ["brief", "countries", "channels", "start_date", "filters", "text"].every((name) => typed(name) === ""),
  }
}
