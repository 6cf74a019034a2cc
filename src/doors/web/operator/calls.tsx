import { formatMoment } from "../../../domain/time/moment.ts"
import type { CallFilter, LoggedCall } from "../../../storage/port/store.ts"
import { CALLS } from "../frame/navigation.ts"
import { fileOfPeriod, isReadable, periodOf } from "../lists.tsx"
import { everyPart } from "../paging.ts"
import { LongCode } from "../parts/blocks.tsx"
import { Badge } from "../parts/feedback.tsx"
import { FilterSelect } from "../parts/form/filters.tsx"
import { Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, longListCsv } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { LogList } from "./log-list.tsx"
import { RecentRefusals, recentRefusals } from "./recent-refusals.tsx"
import { beforeOf, given, timeSpanOf } from "./time-span.ts"

const PAGE_ROWS = 25
// Rows can have 8 KB each, and other requests are served between the parts.
const CSV_ROWS_AT_ONCE = 100

export const callerOf = ({ agentKey, agentKeyId, address }: LoggedCall) =>
  agentKeyId === null ? `anonymous, ${address ?? "unknown"}` : (agentKey ?? agentKeyId)
const milliseconds = ({ durationMicros }: LoggedCall) => (durationMicros / 1_000).toFixed(1)

/** A code such as VERSION_UNSUPPORTED, which a narrow card breaks between its words. */
const breakable = (code: string) =>
  code.split(/(?<=_)/).flatMap((word, at) => (at === 0 ? [word] : [<wbr key={at} />, word]))

const COLUMNS: readonly Column<LoggedCall>[] = [
  { title: "When", cell: ({ at }) => <Time at={at} />, value: ({ at }) => formatMoment(at) },
  { title: "Who", value: callerOf },
  { title: "What", value: ({ tool, method }) => tool ?? method },
  {
    title: "Outcome",
    phone: "corner",
    cell: ({ outcome }) => <Badge tone={outcome === "completed" ? "good" : "warn"}>{breakable(outcome)}</Badge>,
    value: ({ outcome }) => outcome,
  },
  { title: "Took (ms)", value: milliseconds, numeric: true },
  {
    title: "Arguments",
    phone: "wide",
    cell: (call) => <LongCode text={call.arguments ?? ""} />,
    value: (call) => call.arguments,
  },
]

function filterOf(visit: PersonVisit): CallFilter {
  const { searchParams } = visit.url
  return {
    ...given(searchParams, "caller"),
    ...given(searchParams, "tool"),
    ...given(searchParams, "outcome"),
    ...given(searchParams, "text"),
    ...timeSpanOf(visit),
  }
}

async function list(visit: PersonVisit): Promise<Response> {
  const filter = filterOf(visit)
  const before = beforeOf(visit.url.searchParams)
  const { calls, before: older } = isReadable(periodOf(visit.url))
    ? await visit.context.store.agentCallLog.search(filter, { before, limit: PAGE_ROWS })
    : { calls: [], before: null }
  return headedPage(visit, {
    title: "Agent calls",
    active: CALLS,
    intro: (
      <>
        <p class="soft">What buyers' agents asked, and what they got. Keys are never stored.</p>
        <RecentRefusals counts={await recentRefusals(visit.context)} />
      </>
    ),
    body: (
      <LogList
        url={visit.url}
        action={CALLS}
        filter={filter}
        searched="arguments"
        filters={await filtersOf(visit)}
        caption="Calls of the sales agent"
        columns={COLUMNS}
        rows={calls}
        limit={PAGE_ROWS}
        older={older}
        what="calls"
        emptyText="Calls of the sales agent show up here."
      />
    ),
  })
}

async function filtersOf({ url, context: { store } }: PersonVisit) {
  const { tools, outcomes } = await store.agentCallLog.filterOptions()
  const keys = (await store.agentKeys.list()).map(({ id, label, revokedAt }) => ({
    value: id,
    label: revokedAt === null ? label : `${label} (revoked)`,
  }))
  // The current filter stays a choice, however long ago it was last seen.
  const choices = (name: string, known: readonly string[]) => {
    const current = url.searchParams.get(name) ?? ""
    const all = known.includes(current) || current === "" ? known : [...known, current]
    return all.map((one) => ({ value: one, label: one }))
  }
  return (
    <>
      <FilterSelect
        url={url}
        name="caller"
        label="Who"
        any="Any caller"
        choices={[{ value: "anonymous", label: "Anonymous" }, ...keys]}
      />
      <FilterSelect url={url} name="tool" label="Tool" any="Any tool" choices={choices("tool", tools)} />
      <FilterSelect url={url} name="outcome" label="Outcome" any="Any outcome" choices={choices("outcome", outcomes)} />
    </>
  )
}

/** Everything that matches, newest first. */
async function* found(visit: PersonVisit) {
  const filter = filterOf(visit)
  const { agentCallLog } = visit.context.store
  const read = (before: number | null) => agentCallLog.search(filter, { before, limit: CSV_ROWS_AT_ONCE })
  for await (const { calls } of everyPart("before", read)) yield calls
}

export const callRoutes = [
  forOperator("GET", CALLS, list),
  forOperator(
    "GET",
    `${CALLS}.csv`,
    fileOfPeriod(
      () => CALLS,
      (visit) => longListCsv("agent-calls", COLUMNS, found(visit)),
    ),
  ),
]
