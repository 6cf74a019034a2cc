import { formatMoment } from "../../../domain/moment.ts"
import type { CallFilter, LoggedCall } from "../../../storage/store.ts"
import { Badge, Empty, Heading } from "../parts/bits.tsx"
import { Field, Select } from "../parts/field.tsx"
import { Time } from "../parts/format.tsx"
import { CsvLink, FilterBar, LongCode } from "../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../parts/listing.ts"
import { Pager, Table } from "../parts/table.tsx"
import { page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { CALLS } from "./navigation.ts"
import { beforeOf, given, timeSpanOf, withQuery } from "./time-span.ts"
import { ZONE } from "./zone.ts"

const PAGE_ROWS = 100
const CSV_ROWS_MAX = 100_000

export const callerOf = ({ agentKey, agentKeyId, address }: LoggedCall) =>
  agentKeyId === null ? `anonymous, ${address ?? "unknown"}` : (agentKey ?? agentKeyId)
const milliseconds = ({ durationMicros }: LoggedCall) => (durationMicros / 1_000).toFixed(1)

const COLUMNS: readonly ListColumn<LoggedCall>[] = [
  { title: "When", cell: ({ at }) => <Time at={at} zone={ZONE} />, value: ({ at }) => formatMoment(at) },
  { title: "Who", cell: callerOf, value: callerOf },
  { title: "What", cell: ({ tool, method }) => tool ?? method, value: ({ tool, method }) => tool ?? method },
  {
    title: "Outcome",
    cell: ({ outcome }) => <Badge tone={outcome === "completed" ? "good" : "warning"}>{outcome}</Badge>,
    value: ({ outcome }) => outcome,
  },
  { title: "Took (ms)", cell: milliseconds, value: milliseconds, numeric: true },
  {
    title: "Arguments",
    cell: (call) => <LongCode text={call.arguments ?? ""} />,
    value: (call) => call.arguments,
  },
]

function filterOf({ url: { searchParams } }: PersonVisit): CallFilter {
  return {
    ...given(searchParams, "caller"),
    ...given(searchParams, "tool"),
    ...given(searchParams, "outcome"),
    ...given(searchParams, "text"),
    ...timeSpanOf(searchParams),
  }
}

async function list(visit: PersonVisit): Promise<Response> {
  const filter = filterOf(visit)
  const isFiltered = Object.keys(filter).length > 0
  const before = beforeOf(visit.url.searchParams)
  const calls = await visit.context.store.agentCallLog.list(filter, { before, limit: PAGE_ROWS + 1 })
  const shown = calls.slice(0, PAGE_ROWS)
  const last = shown.at(-1)
  return page(visit, {
    title: "Agent calls",
    active: CALLS,
    body: (
      <>
        <Heading title="Agent calls" actions={<CsvLink href={`${CALLS}.csv${visit.url.search}`} />}>
          <p class="soft">What buyers' agents asked, and what they got. Keys are never kept. Times are UTC.</p>
        </Heading>
        <Filters
          visit={visit}
          isFiltered={isFiltered}
          words={await visit.context.store.agentCallLog.words()}
          keys={await keysOf(visit)}
        />
        {shown.length === 0 ? (
          <Empty title={isFiltered ? "No call fits" : "No call yet"}>
            <p>{isFiltered ? "Show all to see every call." : "Calls of the sales agent show up here."}</p>
          </Empty>
        ) : (
          <Table caption="Calls of the sales agent" columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
        )}
        <Pager
          previous={before === null ? null : withQuery(visit.url, "before", null)}
          next={calls.length > PAGE_ROWS && last ? withQuery(visit.url, "before", String(last.id)) : null}
          previousLabel="Newest"
        />
      </>
    ),
  })
}

async function keysOf({ context: { store } }: PersonVisit) {
  const keys = await store.agentKeys.list()
  return keys.map(({ id, label, revokedAt }) => ({
    value: id,
    label: revokedAt === null ? label : `${label} (revoked)`,
  }))
}

interface FiltersProps {
  readonly visit: PersonVisit
  readonly isFiltered: boolean
  readonly words: { readonly tools: readonly string[]; readonly outcomes: readonly string[] }
  readonly keys: readonly { readonly value: string; readonly label: string }[]
}

function Filters({ visit: { url }, isFiltered, words, keys }: FiltersProps) {
  const value = (name: string) => url.searchParams.get(name) ?? ""
  const any = { value: "", label: "Any" }
  const choices = (list: readonly string[]) => [any, ...list.map((one) => ({ value: one, label: one }))]
  return (
    <FilterBar action={CALLS} isFiltered={isFiltered}>
      <Select
        name="caller"
        label="Who"
        value={value("caller")}
        choices={[any, { value: "anonymous", label: "Anonymous" }, ...keys]}
      />
      <Select name="tool" label="Tool" value={value("tool")} choices={choices(words.tools)} />
      <Select name="outcome" label="Outcome" value={value("outcome")} choices={choices(words.outcomes)} />
      <Field name="text" label="In the arguments" type="search" value={value("text")} />
      <Field name="from" label="From" type="date" value={value("from")} />
      <Field name="to" label="To" type="date" value={value("to")} />
    </FilterBar>
  )
}

export const callRoutes = [
  forOperator("GET", CALLS, list),
  forOperator("GET", `${CALLS}.csv`, async (visit) => {
    const page = { before: null, limit: CSV_ROWS_MAX }
    return listCsv("agent-calls", COLUMNS, await visit.context.store.agentCallLog.list(filterOf(visit), page))
  }),
]
