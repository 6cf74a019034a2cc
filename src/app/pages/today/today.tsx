import { shareOffPlan, stateOf } from "../../../domain/campaign/line-state.ts"
import { valueByDay } from "../../../domain/campaign/value.ts"
import { type CalendarDate, daysBetween } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { days, type LineDays } from "../../../storage/delivery/days.ts"
import { onlyBuys } from "../../../storage/organizations.ts"
import { campaignsAddress, lineAddress } from "../../find.ts"
import { flashOf, goTo } from "../../flash.ts"
import type { List } from "../../list.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card, Empty, type Todo, TodoList } from "../../parts/blocks.tsx"
import { ValueChart } from "../../parts/charts/line-chart.tsx"
import {
  Ago,
  dotted,
  formatCount,
  formatDate,
  formatLongDate,
  formatNumber,
  formatPercentChange,
  formatShortDate,
  Time,
} from "../../parts/format.tsx"
import { lastTwoWeeks, lineColumns, sumOfLines } from "../../parts/line-columns.tsx"
import { ListView } from "../../parts/list.tsx"
import { type Column, firstRow, Name, Pages, ROWS_PER_PAGE } from "../../parts/table.tsx"
import { type Selling, sellingNow } from "../../selling.ts"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { saleTodos, todosOf } from "./todos.tsx"

/** Where a seller starts: what needs attention, and everything that runs. Buyers start at their campaigns. */
export async function todayPage(visit: MemberVisit): Promise<Response> {
  const { context, organization, role, url } = visit
  const { read } = context.database
  if (await onlyBuys(read, organization.id)) return goTo(visit, campaignsAddress(visit), flashOf(visit) || undefined)
  const selling = await sellingNow(visit)
  const dates = lastTwoWeeks(visit.now, visit)
  const recent = selling.lines.filter((line) => isMeasuredSince(line, dates[0] ?? ""))
  const ids = recent.map(({ id }) => id)
  const totals = await days(read, ids, dates[0] ?? "", dates.at(-1) ?? "")
  const todos = [...todosOf(visit, selling, totals), ...(await saleTodos(visit))]
  const isAll = url.searchParams.has("all")
  return page(visit, {
    title: "Today",
    hasTimes: selling.running.length > 0 && !isAll,
    intro: introOf(visit, selling, todos),
    actions: selling.running.length > 0 && (
      <>
        {role === "admin" && <ButtonLink icon="plus" href={`${homeOf(visit)}/new-campaign`} label="New campaign" />}
        <ButtonLink kind="primary" href={`${homeOf(visit)}/totals`} label="Report totals" />
      </>
    ),
    body: isAll ? (
      <Todos visit={visit} todos={todos} isAll />
    ) : (
      <>
        <div class="stack wide-left">
          <Todos visit={visit} todos={todos} />
          <RecentValue lines={recent} totals={totals} dates={dates} />
        </div>
        <ListView
          list={runningList(visit, totals)}
          rows={selling.running}
          url={url}
          title="Running lines"
          totalsOf={(found) => sumOfLines(found, selling.running, "All running lines")}
        />
      </>
    ),
  })
}

const isMeasuredSince = ({ total, timeZone }: StoredLine, first: CalendarDate): boolean =>
  total !== null && dayOf(total.asOf, timeZone) >= first

/** "Thursday 19 November 2026. 5 to do, and 42 lines are running." */
function introOf({ now, timeZone }: MemberVisit, { running }: Selling, todos: readonly Todo[]): string {
  const todo = todos.length === 0 ? "Nothing to do" : `${formatNumber(todos.length)} to do`
  const run = running.length === 0 ? "" : `, and ${formatCount(running.length, "line is running", "lines are running")}`
  return `${formatLongDate(dayOf(now, timeZone))}. ${todo}${run}.`
}

interface TodosProps {
  readonly visit: MemberVisit
  readonly todos: readonly Todo[]
  readonly isAll?: boolean
}

const TODOS_MAX = 5
const NOTHING = "Nothing today. No line is behind, and every API key reports as usual."

/** The first things to do, or all of them on pages. */
function Todos({ visit, todos, isAll = false }: TodosProps) {
  const from = isAll ? firstRow(visit.url) : 0
  const shown = todos.slice(from, from + (isAll ? ROWS_PER_PAGE : TODOS_MAX))
  return (
    <>
      <Card title="Needs your attention" count={todos.length === 0 ? undefined : formatNumber(todos.length)} isFlush>
        {todos.length === 0 ? <p class="card-foot">{NOTHING}</p> : <TodoList todos={shown} />}
        {todos.length > TODOS_MAX && (
          <p class="card-foot">
            {isAll ? (
              <a href={homeOf(visit)}>Back to Today</a>
            ) : (
              <a href={`${homeOf(visit)}?all`}>Show all {formatNumber(todos.length)}</a>
            )}
          </p>
        )}
      </Card>
      {isAll && <Pages url={visit.url} count={todos.length} name="things to do" />}
    </>
  )
}

interface RecentValueProps {
  readonly lines: readonly StoredLine[]
  readonly totals: LineDays
  readonly dates: readonly CalendarDate[]
}

function RecentValue({ lines, totals, dates }: RecentValueProps) {
  const values = valueByDay(lines, totals, dates).filter(({ sum, stretches }) => sum > 0 || stretches.length > 0)
  if (values.length === 0) return null
  return (
    <Card title="Value in the last 14 days">
      <ValueChart values={values} />
    </Card>
  )
}

function runningList(visit: MemberVisit, totals: LineDays): List<StoredLine> {
  const { now } = visit
  const { state, sparkline, delivered, value, measured } = lineColumns(now, totals)
  return {
    name: "running lines",
    sortedBy: "State",
    searched: "lines, campaigns and buyers",
    textsOf: ({ name, campaign }) => [name, campaign.name, campaign.buyer],
    empty: <NothingRuns visit={visit} />,
    columns: [
      {
        title: "Line",
        cell: (line) => (
          <>
            <Name href={lineAddress(visit, line.campaign, line)}>{line.name}</Name>
            <small>{dotted(line.campaign.name, line.campaign.buyer)}</small>
          </>
        ),
        sort: ({ name }) => name,
      },
      state,
      sparkline,
      delivered,
      paceColumn(visit),
      value,
      {
        title: "Ends",
        cell: (line) => <End line={line} today={dayOf(now, line.timeZone)} />,
        sort: ({ flightEnd }) => flightEnd,
      },
      {
        ...measured,
        cell: ({ total }) =>
          total === null ? (
            <span class="soft">Never</span>
          ) : (
            <>
              <Ago at={total.asOf} />
              <small>
                <Time at={total.asOf} />
              </small>
            </>
          ),
      },
    ],
  }
}

const paceColumn = ({ now }: MemberVisit): Column<StoredLine> => ({
  title: "Pace",
  isNumber: true,
  cell: (line) => {
    const share = shareOffPlan(line)
    if (share === null) return <span class="soft">–</span>
    return <span class={stateOf(line, now) === "behind" ? "tone warn" : undefined}>{formatPercentChange(share)}</span>
  },
  sort: shareOffPlan,
})

function End({ line: { flightEnd }, today }: { readonly line: StoredLine; readonly today: CalendarDate }) {
  if (flightEnd === null) return <span class="soft">No end</span>
  const left = daysBetween(today, flightEnd) + 1
  return (
    <>
      {flightEnd.slice(0, 4) === today.slice(0, 4) ? formatShortDate(flightEnd) : formatDate(flightEnd)}
      <small class="nowrap">{left === 1 ? "Last day" : `${formatNumber(left)} days left`}</small>
    </>
  )
}

const NothingRuns = ({ visit }: { readonly visit: MemberVisit }) => (
  <Empty title="No lines are running" text="Lines that run today are listed here, with what needs attention first.">
    {visit.role === "admin" && (
      <ButtonLink kind="primary" href={`${homeOf(visit)}/new-campaign`} label="New campaign" />
    )}
    <ButtonLink href={campaignsAddress(visit)} label="All campaigns" />
  </Empty>
)
