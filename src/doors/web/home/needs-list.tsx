import { spanInWords, usualInWords } from "../../../domain/activity/rhythm.ts"
import { type Judged, reasonOf } from "../../../domain/campaign/attention.ts"
import { daysLeft, offPlan } from "../../../domain/campaign/line-state.ts"
import { courseOf, FORECAST_CLOSINGS, type Forecast } from "../../../domain/delivery/line-course.ts"
import { type ArrivedReport, reportIdOf } from "../../../domain/delivery/withdrawal.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { timeInWords } from "../../../domain/time/time-zone.ts"
import type { FlyingLine, ListedLine } from "../../../storage/port/store.ts"
import type { PointsByLine } from "../campaigns/line-table.tsx"
import { lineHref } from "../campaigns/with-line.ts"
import { SYSTEM } from "../frame/navigation.ts"
import { countNeeds } from "../frame/place.ts"
import { forMember } from "../guards.ts"
import { needTodo } from "../operator/system-needs.ts"
import { Card, type Todo, TodoList } from "../parts/blocks.tsx"
import { formatCount, formatNumber, formatPercent } from "../parts/format.tsx"
import { needText } from "../parts/line.tsx"
import { offsetOf, Pages } from "../parts/table.tsx"
import { headedPage } from "../respond.tsx"
import { settleTodo, type ToSettle } from "../sale/to-settle.ts"
import { ordersTodo } from "../sale/with-order.ts"
import { withdrawerOf } from "../totals/withdraw-routes.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { ENDED_DAYS, type Selling, type SilentFeed, sellingNow } from "./lines-in-flight.ts"

// The rest has a page of its own.
const NEEDS_SHOWN = 5
const NEEDS_PER_PAGE = 100

/** What is sold now, and the visit with how much of it needs somebody: the menu says the same as the page. */
export async function withSelling(visit: OrganizationVisit) {
  const selling = await sellingNow(visit.context, visit.organization, visit.now)
  const place = visit.place && { ...visit.place, needing: selling.needing }
  return { selling, needs: place === null ? 0 : countNeeds(place), visit: { ...visit, place } }
}

/** What needs the seller: orders, totals that nothing can replace, silent feeds, what can still be rescued, totals that are due, the rest, and the server last. */
async function todosOf(
  visit: OrganizationVisit,
  selling: Selling,
  [from, count]: readonly [number, number],
  known?: PointsByLine,
): Promise<Todo[]> {
  const { ahead, silentFeeds, named, due, unreported, today } = selling
  const behind = named.filter(({ state }) => state === "behind").length
  const ofTotals = ahead.map((judged) => ({ ...judged, isAhead: true }))
  const ofDue = due > 0 ? [due] : []
  const ofLines = [...ofTotals, ...silentFeeds, ...named.slice(0, behind), ...ofDue, ...named.slice(behind)]
  const { orders = null, settling = [], systemNeeds = [] } = visit.place ?? {}
  const all = [...(orders ? ["orders" as const] : []), ...ofLines, ...settling, ...systemNeeds]
  const needs = all.slice(from, from + count)
  const orderTodos = needs.includes("orders") ? [await ordersTodo(visit)] : []
  const judged = needs.filter((need) => typeof need === "object" && "line" in need)
  const lines = await wholeLines(visit, judged)
  // What is delivered needs no forecast.
  const forecast = judged.flatMap(({ line, state }) => (state === "over_delivered" ? [] : line.lineId))
  const points = known ?? (await visit.context.store.deliveryHistory.days(forecast, FORECAST_CLOSINGS))
  const byId = new Map(lines.map((line) => [line.lineId, line]))
  const shownAhead = judged.flatMap((need) => ("isAhead" in need ? need.line.lineId : []))
  const reports = shownAhead.length === 0 ? [] : await visit.context.store.deliveryHistory.ahead(visit.now, shownAhead)
  return needs.flatMap((need): Todo[] => {
    if (need === "orders") return orderTodos
    if (Array.isArray(need)) return [settleTodo(visit.organization, need as ToSettle)]
    if (typeof need === "number") return [dueTodo(visit, need, unreported === need)]
    if ("text" in need) return [{ ...needTodo(need), href: SYSTEM, action: "Open System" }]
    if ("key" in need) return [feedTodo(visit, need)]
    const line = byId.get(need.line.lineId)
    if (line === undefined) return []
    if (!("isAhead" in need)) return [lineTodo(visit, { line, state: need.state }, today, points)]
    const report = reports.find(({ lineId }) => lineId === line.lineId)
    return [aheadTodo(visit, line, report)]
  })
}

/** Everything that a page shows of these lines, in their order. */
export async function wholeLines({ context, organization }: OrganizationVisit, judged: readonly Judged<ListedLine>[]) {
  const ids = judged.map(({ line }) => line.lineId)
  const lines = await context.store.campaigns.flyingLines(organization.id, ids)
  const byId = new Map(lines.map((line) => [line.lineId, line]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const NOTHING_TODAY = "Nothing today. No line is behind, and every API key reports as usual."
const WHAT_IS_BEHIND = (
  <a class="small" href="/docs/without-programs#what-counts-as-behind">
    What counts as behind?
  </a>
)

/** `known` are the last totals of recent days, where they are read already. */
export async function needsCard(visit: OrganizationVisit, selling: Selling, needs: number, known?: PointsByLine) {
  const todos = await todosOf(visit, selling, [0, NEEDS_SHOWN], known)
  return (
    <Card flush title="Needs your attention" actions={selling.running.length > 0 && WHAT_IS_BEHIND}>
      {todos.length === 0 ? <p class="card-foot">{NOTHING_TODAY}</p> : <TodoList todos={todos} />}
      {needs > NEEDS_SHOWN && (
        <p class="card-foot">
          <a href={needsOf(visit)}>Show all {formatNumber(needs)}</a>
        </p>
      )}
    </Card>
  )
}

const needsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/attention`

async function needsPage(visitor: OrganizationVisit): Promise<Response> {
  const { visit, selling, needs } = await withSelling(visitor)
  const { organization, url } = visit
  const todos = await todosOf(visit, selling, [offsetOf(url), NEEDS_PER_PAGE])
  const home = `/app/o/${organization.slug}`
  return headedPage(visit, {
    title: "Needs your attention",
    active: home,
    trail: [{ href: home, label: "Today" }],
    intro: needs === 0 ? NOTHING_TODAY : formatCount(needs, "thing needs you.", "things need you."),
    body: [
      todos.length > 0 && (
        <Card flush title="Most pressing first">
          <TodoList todos={todos} />
        </Card>
      ),
      <Pages url={url} perPage={NEEDS_PER_PAGE} count={needs} what="things" />,
    ],
  })
}

export const needsRoutes = [forMember("GET", "/app/o/:org/attention", needsPage)]

/** The clock was ahead when it came, so that it counts until then, whatever else is reported. */
function aheadTodo(visit: OrganizationVisit, line: FlyingLine, report: ArrivedReport | undefined): Todo {
  const until = line.total === null ? "" : timeInWords(line.total.asOf, visit.zone)
  const canWithdraw = report !== undefined && withdrawerOf(visit).isAdmin
  const href = lineHref(visit, line)
  return {
    tone: "bad",
    icon: "clock",
    subject: line.name,
    what: "has a total that was measured in the future",
    text: `The clock was ahead when it came. It says ${until}, and until then no other total counts. ${canWithdraw ? "Withdraw it, and the newest of the others counts." : "An admin can withdraw it."}`,
    href: canWithdraw ? `${href}/reports/${reportIdOf(report)}/withdraw` : href,
    action: canWithdraw ? "Withdraw it" : "Open line",
  }
}

const dueTodo = ({ organization }: OrganizationVisit, due: number, isFirst: boolean): Todo => ({
  tone: "warn",
  icon: "clock",
  subject: formatCount(due, "line"),
  what: `${due === 1 ? "has" : "have"} no total ${isFirst ? "yet" : "since yesterday"}`,
  text: `Of those that run, or ended in the last ${ENDED_DAYS} days. Type them all on one page, or upload a file.`,
  href: `/app/o/${organization.slug}/totals?only=due`,
  action: "Report totals",
})

function feedTodo({ organization, zone }: OrganizationVisit, { key, rhythm, lines }: SilentFeed): Todo {
  const usual = rhythm.usualHours === null ? "" : `It usually reports ${usualInWords(rhythm.usualHours)}. `
  const last = rhythm.lastAt === null ? "" : `The last request was on ${timeInWords(rhythm.lastAt, zone)}. `
  const depend = lines === 0 ? "" : `${formatCount(lines, "running line depends", "running lines depend")} on it.`
  return {
    tone: "bad",
    icon: "silent",
    subject: key.label,
    what: `has been silent for ${spanInWords(rhythm.silentFor ?? 0)}`,
    text: `${usual}${last}${depend}`.trim(),
    href: `/app/o/${organization.slug}/feed-activity?key=${encodeURIComponent(key.id)}`,
    action: "See activity",
  }
}

/** Lines without figures are named together, and not here. */
function lineTodo(
  visit: OrganizationVisit,
  { line, state }: Judged<FlyingLine>,
  today: CalendarDate,
  points: PointsByLine,
): Todo {
  const zone = line.seller.timeZone
  const { forecast } = courseOf(line, points.get(line.lineId) ?? [], zone, Number.POSITIVE_INFINITY)
  const opened = { subject: line.name, href: lineHref(visit, line), action: "Open line" }
  switch (reasonOf(state)) {
    case "behind": {
      const what = `is ${formatPercent(Math.abs(offPlan(line, zone) ?? 0))} behind plan`
      return { ...opened, tone: "warn", icon: "down", what, text: inCampaign(line, forecastText(line, forecast, true)) }
    }
    case "over_delivered": {
      const what = "has delivered more than was booked"
      return { ...opened, tone: "over", icon: "up", what, text: inCampaign(line, overText(line, today)) }
    }
    default: {
      const what = `ends ${endText(line, today)}`
      return { ...opened, tone: "info", icon: "clock", what, text: inCampaign(line, endsText(line, forecast)) }
    }
  }
}

/** Lines of several campaigns are often called the same. */
const inCampaign = ({ campaign }: FlyingLine, text: string) => `${campaign.name}. ${text}`.trim()

function forecastText({ booked }: FlyingLine, forecast: Forecast | null, withNeed: boolean): string {
  if (forecast === null || booked === null || booked === 0) return ""
  const { atEnd } = forecast
  const need = withNeed ? needText(forecast) : null
  const end = `At the pace of the last 7 days it ends at ${formatNumber(atEnd)} of ${formatNumber(booked)} (${formatPercent(atEnd / booked)}).`
  return need === null ? end : `${end} It ${need}.`
}

const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" })

function endText(line: FlyingLine, today: CalendarDate): string {
  const left = daysLeft(line, today)
  if (left === 1) return "today"
  if (left === 2) return "tomorrow"
  return line.flightEnd === null ? "" : `on ${weekday.format(new Date(line.flightEnd))}`
}

function endsText(line: FlyingLine, forecast: Forecast | null): string {
  if (line.pricingBasis === "flat_rate") return "It has a flat rate and is not marked as delivered yet."
  const so = `${formatNumber(line.total?.quantity ?? 0)}${line.booked === null ? "" : ` of ${formatNumber(line.booked)}`} ${line.pricingBasis} so far.`
  return `${so} ${forecastText(line, forecast, false)}`.trim()
}

function overText(line: FlyingLine, today: CalendarDate): string {
  const left = daysLeft(line, today)
  const days = left === null ? "no end date" : formatCount(left, "day left", "days left")
  return `${formatNumber(line.total?.quantity ?? 0)} of ${formatNumber(line.booked ?? 0)} ${line.pricingBasis}, and ${days}. Further delivery isn’t billed.`
}
