import { formatMoment } from "../../../domain/time/moment.ts"
import type { CallFilter, LoggedCall } from "../../../storage/port/store.ts"
import { CALLS } from "../frame/navigation.ts"
import { LongCode } from "../parts/blocks.tsx"
import { Badge } from "../parts/feedback.tsx"
import { FilterSelect } from "../parts/form/filters.tsx"
import { Time } from "../parts/format.tsx"
import type { Column } from "../parts/table.tsx"
import type { PersonVisit } from "../visit.ts"
import { logRoutes } from "./log-list.tsx"
import { RecentRefusals, recentRefusals } from "./recent-refusals.tsx"
import { given, timeSpanOf } from "./time-span.ts"

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

export const callRoutes = logRoutes<LoggedCall, CallFilter>({
  path: CALLS,
  title: "Agent calls",
  intro: async ({ context }) => (
    <>
      <p class="soft">What buyers' agents asked, and what they got. Keys are never stored.</p>
      <RecentRefusals counts={await recentRefusals(context)} />
    </>
  ),
  searched: "arguments",
  caption: "Calls of the sales agent",
  columns: COLUMNS,
  what: "calls",
  emptyText: "Calls of the sales agent show up here.",
  file: "agent-calls",
  // Rows can have 8 KB each.
  fileRowsAtOnce: 100,
  filterOf,
  filters: filtersOf,
  async read({ context }, filter, page) {
    const { calls, before } = await context.store.agentCallLog.search(filter, page)
    return { rows: calls, before }
  },
})
