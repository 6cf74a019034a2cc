import { formatMoment } from "../../../domain/time/moment.ts"
import type { CallFilter, FoundCalls, LoggedCall } from "../../../storage/port/store.ts"
import { Field, Select } from "../parts/field.tsx"
import { Time } from "../parts/format.tsx"
import { CsvLink, FilterBar, LongCode } from "../parts/list-bits.tsx"
import { type ListColumn, longListCsv } from "../parts/listing.ts"
import { Pager, Table } from "../parts/table.tsx"
import { Badge, Empty, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { CALLS } from "./navigation.ts"
import { RefusedLately, refusedLately } from "./refused-lately.tsx"
import { beforeOf, given, timeSpanOf, withQuery } from "./time-span.ts"
import { ZONE } from "./zone.ts"

const PAGE_ROWS = 100
// Rows may have 8 KB each, and others are served between the parts.
const CSV_ROWS_AT_ONCE = 100

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
  const { agentCallLog } = visit.context.store
  const shown = await agentCallLog.search(filter, { before, limit: PAGE_ROWS })
  const older = shown.before === null ? null : withQuery(visit.url, "before", String(shown.before))
  return page(visit, {
    title: "Agent calls",
    active: CALLS,
    body: (
      <>
        <Heading title="Agent calls" actions={<CsvLink href={`${CALLS}.csv${visit.url.search}`} />}>
          <p class="soft">What buyers' agents asked, and what they got. Keys are never kept. Times are UTC.</p>
          <RefusedLately counts={await refusedLately(visit.context)} />
        </Heading>
        <Filters
          visit={visit}
          isFiltered={isFiltered}
          words={await agentCallLog.filterOptions()}
          keys={await keysOf(visit)}
        />
        {shown.calls.length === 0 ? (
          <NoCalls isFiltered={isFiltered} goesOn={older !== null} />
        ) : (
          <Table caption="Calls of the sales agent" columns={COLUMNS} rows={shown.calls} rowKey={({ id }) => id} />
        )}
        <Pager
          previous={before === null ? null : withQuery(visit.url, "before", null)}
          next={older}
          previousLabel="Newest"
          nextLabel={shown.calls.length < PAGE_ROWS ? "Look further back" : "Older"}
        />
      </>
    ),
  })
}

function NoCalls({ isFiltered, goesOn }: { readonly isFiltered: boolean; readonly goesOn: boolean }) {
  if (!isFiltered) {
    return (
      <Empty title="No call yet">
        <p>Calls of the sales agent show up here.</p>
      </Empty>
    )
  }
  return (
    <Empty title={goesOn ? "No matching calls so far" : "No matching calls"}>
      <p>{goesOn ? "The log is long: older calls have not been looked through yet." : "Show all to see every call."}</p>
    </Empty>
  )
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
  // What is filtered by stays a choice, however long ago it was last seen.
  const choices = (name: string, list: readonly string[]) => {
    const known = list.includes(value(name)) || value(name) === "" ? list : [...list, value(name)]
    return [any, ...known.map((one) => ({ value: one, label: one }))]
  }
  return (
    <FilterBar action={CALLS} isFiltered={isFiltered}>
      <Select
        name="caller"
        label="Who"
        value={value("caller")}
        choices={[any, { value: "anonymous", label: "Anonymous" }, ...keys]}
      />
      <Select name="tool" label="Tool" value={value("tool")} choices={choices("tool", words.tools)} />
      <Select name="outcome" label="Outcome" value={value("outcome")} choices={choices("outcome", words.outcomes)} />
      <Field name="text" label="In the arguments" type="search" value={value("text")} />
      <Field name="from" label="From" type="date" value={value("from")} />
      <Field name="to" label="To" type="date" value={value("to")} />
    </FilterBar>
  )
}

/** Everything that fits, newest first. */
async function* found(visit: PersonVisit): AsyncGenerator<readonly LoggedCall[]> {
  const filter = filterOf(visit)
  let before: number | null = null
  do {
    const part: FoundCalls = await visit.context.store.agentCallLog.search(filter, { before, limit: CSV_ROWS_AT_ONCE })
    yield part.calls
    before = part.before
  } while (before !== null)
}

export const callRoutes = [
  forOperator("GET", CALLS, list),
  forOperator("GET", `${CALLS}.csv`, (visit) => longListCsv("agent-calls", COLUMNS, found(visit))),
]
