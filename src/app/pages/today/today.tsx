import type { ComponentChildren } from "preact"
import { shareOffPlan, stateOf } from "../../../domain/campaign/line-state.ts"
import { valueByDay } from "../../../domain/campaign/value.ts"
import { type CalendarDate, daysBetween, type Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { days, type LineDays } from "../../../storage/delivery/days.ts"
import { onlyBuys } from "../../../storage/organizations.ts"
import { campaignsAddress } from "../../find.ts"
import { flashOf, goTo } from "../../flash.ts"
import type { List } from "../../list.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card, Empty, type Todo, TodoList } from "../../parts/blocks.tsx"
import { ValueChart } from "../../parts/charts/day-bars.tsx"
import {
  Ago,
  formatCount,
  formatDate,
  formatLongDate,
  formatNumber,
  formatPercentChange,
  formatShortDate,
  Time,
} from "../../parts/format.tsx"
import { lastTwoWeeks, lineCell, lineColumns, sumOfLines } from "../../parts/line-columns.tsx"
import { ListView } from "../../parts/list.tsx"
import { firstRow, Pages, ROWS_PER_PAGE } from "../../parts/table.tsx"
import { sellingNow } from "../../selling.ts"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { saleTodos, todosOf } from "./todos.tsx"

/** Where a seller starts: what needs attention, and everything that runs. Buyers start at their campaigns. */
export async function todayPage(visit: MemberVisit): Promise<Response> {
  const { read, organization, role, url, now, timeZone } = visit
  if (await onlyBuys(read, organization.id)) return goTo(visit, campaignsAddress(visit), flashOf(visit) || undefined)
  const selling = await sellingNow(visit)
  const { running } = selling
  const dates = lastTwoWeeks(now, visit)
  const [first = "", last = ""] = [dates[0], dates.at(-1)]
  const recent = selling.lines.filter((line) => line.total !== null && dayOf(line.total.asOf, line.timeZone) >= first)
  const ids = recent.map(({ id }) => id)
  const totals = await days(read, ids, first, last)
  const todos = [...todosOf(visit, selling, totals), ...(await saleTodos(visit))]
  const values = valueByDay(recent, totals, dates).filter(({ sum, stretches }) => sum > 0 || stretches.length > 0)
  const isAll = url.searchParams.has("all")
  const run = running.length === 0 ? "" : `, and ${formatCount(running.length, "line is running", "lines are running")}`
  const todo = todos.length === 0 ? "Nothing to do" : `${formatNumber(todos.length)} to do`
  return page(visit, {
    title: "Today",
    hasTimes: running.length > 0 && !isAll,
    intro: `${formatLongDate(dayOf(now, timeZone))}. ${todo}${run}.`,
    actions: running.length > 0 && (
      <>
        {role === "admin" && <ButtonLink icon="plus" href={`${homeOf(visit)}/new-campaign`} label="New campaign" />}
        <ButtonLink kind="primary" href={`${homeOf(visit)}/totals`} label="Report totals" />
      </>
    ),
    body: isAll ? (
      allTodos(visit, todos)
    ) : (
      <>
        <div class="stack wide-left">
          {todosCard(
            todos,
            todos.slice(0, TODOS_MAX),
            <a href={`${homeOf(visit)}?all`}>Show all {formatNumber(todos.length)}</a>,
          )}
          {values.length > 0 && (
            <Card title="Value in the last 14 days">
              <ValueChart values={values} />
            </Card>
          )}
        </div>
        <ListView
          list={runningList(visit, totals)}
          rows={running}
          url={url}
          title="Running lines"
          totalsOf={(found) => sumOfLines(found, running, "All running lines")}
        />
      </>
    ),
  })
}

const TODOS_MAX = 5
const NOTHING = "Nothing today. No line is behind, and every API key reports as usual."

/** The first things to do, with a link to all of them. */
const todosCard = (all: readonly Todo[], shown: readonly Todo[], link: ComponentChildren) => (
  <Card title="Needs your attention" count={all.length === 0 ? undefined : formatNumber(all.length)} isFlush>
    {all.length === 0 ? <p class="card-foot">{NOTHING}</p> : <TodoList todos={shown} />}
    {all.length > TODOS_MAX && <p class="card-foot">{link}</p>}
  </Card>
)

function allTodos(visit: MemberVisit, todos: readonly Todo[]) {
  const from = firstRow(visit.url)
  return (
    <>
      {todosCard(todos, todos.slice(from, from + ROWS_PER_PAGE), <a href={homeOf(visit)}>Back to Today</a>)}
      <Pages url={visit.url} count={todos.length} name="things to do" />
    </>
  )
}

function runningList(visit: MemberVisit, totals: LineDays): List<StoredLine> {
  const { now, role } = visit
  const { state, sparkline, delivered, value, measured } = lineColumns(now, totals)
  return {
    name: "running lines",
    sortedBy: "state",
    searched: "lines, campaigns and buyers",
    textsOf: ({ name, campaign }) => [name, campaign.name, campaign.buyer],
    empty: (
      <Empty title="No lines are running" text="Lines that run today are listed here, with what needs attention first.">
        {role === "admin" && <ButtonLink kind="primary" href={`${homeOf(visit)}/new-campaign`} label="New campaign" />}
        <ButtonLink href={campaignsAddress(visit)} label="All campaigns" />
      </Empty>
    ),
    columns: [
      {
        title: "Line",
        cell: (line) => lineCell(visit, line),
        sort: ({ name }) => name,
      },
      state,
      sparkline,
      delivered,
      { title: "Pace", isNumber: true, cell: (line) => paceOf(line, now), sort: shareOffPlan },
      value,
      { title: "Ends", cell: (line) => endOf(line, dayOf(now, line.timeZone)), sort: ({ flightEnd }) => flightEnd },
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

function paceOf(line: StoredLine, now: Moment) {
  const share = shareOffPlan(line)
  if (share === null) return <span class="soft">–</span>
  return <span class={stateOf(line, now) === "behind" ? "tone warn" : undefined}>{formatPercentChange(share)}</span>
}

function endOf({ flightEnd }: StoredLine, today: CalendarDate) {
  if (flightEnd === null) return <span class="soft">No end</span>
  const left = daysBetween(today, flightEnd) + 1
  return (
    <>
      {flightEnd.slice(0, 4) === today.slice(0, 4) ? formatShortDate(flightEnd) : formatDate(flightEnd)}
      <small class="nowrap">{left === 1 ? "Last day" : `${formatNumber(left)} days left`}</small>
    </>
  )
}
