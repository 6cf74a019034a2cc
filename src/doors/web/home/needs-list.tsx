import { spanInWords, usualInWords } from "../../../domain/activity/rhythm.ts"
import { type AttentionReason, type Judged, reasonOf } from "../../../domain/campaign/attention.ts"
import { daysLeft, offPlan } from "../../../domain/campaign/line-state.ts"
import { courseOf, type Forecast } from "../../../domain/delivery/line-course.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { dayOf, timeInWords } from "../../../domain/time/time-zone.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { type PointsByLine, sparklinePoints } from "../campaigns/campaign.tsx"
import { Card, type Todo, TodoList } from "../parts/blocks.tsx"
import type { Tone } from "../parts/feedback.tsx"
import { formatCount, formatNumber, formatPercent, formatShortDate } from "../parts/format.tsx"
import type { IconName } from "../parts/icon.tsx"
import { BASIS_LABELS } from "../parts/line.tsx"
import type { OrganizationVisit } from "../visit.ts"
import type { Selling, SilentFeed } from "./lines-in-flight.ts"

export const NEEDS_MAX = 20

const LOOKS: Readonly<Record<AttentionReason, readonly [Tone, IconName]>> = {
  behind: ["warn", "down"],
  no_recent_figures: ["bad", "silent"],
  ends_soon: ["info", "clock"],
  over_delivered: ["over", "up"],
}

export const lineHref = ({ organization }: OrganizationVisit, { campaign, packageId }: FlyingLine) =>
  `/app/o/${organization.slug}/campaigns/${campaign.slug}/lines/${packageId}`

/** What needs the seller, the most pressing first, bounded. */
export async function needsCard(visit: OrganizationVisit, selling: Selling) {
  const feeds = selling.silentFeeds.map((feed) => feedTodo(visit, feed))
  const shown = selling.named.slice(0, Math.max(NEEDS_MAX - feeds.length, 1))
  const points = await sparklinePoints(
    visit,
    shown.map(({ line }) => line),
  )
  const todos = shown.map((judged) => lineTodo(visit, judged, selling.today, points))
  // What is behind can still be rescued; a silent feed hides whether anything else is.
  const behind = shown.filter(({ state }) => state === "behind").length
  const inOrder = [...todos.slice(0, behind), ...feeds, ...todos.slice(behind)]
  const more = selling.needing - feeds.length - shown.length
  return (
    <Card flush title="Needs your attention">
      {inOrder.length === 0 ? (
        <p class="card-foot">Nothing today. Every running line is on pace, and every feed reports as usual.</p>
      ) : (
        <TodoList todos={inOrder} />
      )}
      {more > 0 && <p class="card-foot">and {formatNumber(more)} more, at the top of the table below</p>}
    </Card>
  )
}

function feedTodo({ organization, zone }: OrganizationVisit, { key, rhythm, lines }: SilentFeed): Todo {
  const usual = rhythm.usualHours === null ? "" : `It usually reports ${usualInWords(rhythm.usualHours)}. `
  const last = rhythm.lastAt === null ? "" : `The last request was on ${timeInWords(rhythm.lastAt, zone)}. `
  const depend = lines === 0 ? "" : `${formatCount(lines, "running line depends", "running lines depend")} on it.`
  return {
    key: key.id,
    tone: "bad",
    icon: "silent",
    subject: key.label,
    what: `has been silent for ${spanInWords(rhythm.silentFor ?? 0)}`,
    text: `${usual}${last}${depend}`.trim(),
    href: `/app/o/${organization.slug}/feed-activity?key=${encodeURIComponent(key.id)}`,
    action: "See activity",
  }
}

function lineTodo(
  visit: OrganizationVisit,
  { line, state }: Judged<FlyingLine>,
  today: CalendarDate,
  points: PointsByLine,
): Todo {
  const why = reasonOf(state) ?? "ends_soon"
  const [tone, icon] = LOOKS[why]
  const zone = line.seller.timeZone
  const { forecast } = courseOf(line, points.get(line.lineId) ?? [], zone, Number.POSITIVE_INFINITY)
  const words: Readonly<Record<AttentionReason, () => readonly [string, string]>> = {
    behind: () => [
      `is ${formatPercent(Math.abs(offPlan(line, zone) ?? 0))} behind plan`,
      forecastText(line, forecast, true),
    ],
    no_recent_figures: () => [silentTitle(line), "Its feed may have stopped, or its last totals were rejected."],
    ends_soon: () => [`ends ${endText(line, today)}`, endsText(line, forecast)],
    over_delivered: () => ["has delivered more than was booked", overText(line, today)],
  }
  const [what, text] = words[why]()
  return {
    key: line.packageId,
    tone,
    icon,
    subject: line.name,
    what,
    text,
    href: lineHref(visit, line),
    action: "Open line",
  }
}

const unitOf = ({ pricingBasis }: FlyingLine) => BASIS_LABELS[pricingBasis].toLowerCase()

function forecastText({ booked }: FlyingLine, forecast: Forecast | null, withNeed: boolean): string {
  if (forecast === null || booked === null || booked === 0) return ""
  const { atEnd, neededPerDay, perDay } = forecast
  const end = `At the pace of the last 7 days it ends at ${formatNumber(atEnd)} of ${formatNumber(booked)} (${formatPercent(atEnd / booked)}).`
  if (!withNeed || neededPerDay === null) return end
  return `${end} It needs ${formatNumber(neededPerDay)} a day and gets ${formatNumber(perDay)}.`
}

function silentTitle({ total, seller }: FlyingLine): string {
  if (total === null) return "has started, and nothing has been reported"
  return `has had no figures since ${formatShortDate(dayOf(total.asOf, seller.timeZone))}`
}

const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" })

function endText(line: FlyingLine, today: CalendarDate): string {
  const left = daysLeft(line, today)
  if (left === 1) return "today"
  if (left === 2) return "tomorrow"
  return line.flightEnd === null ? "" : `on ${weekday.format(new Date(line.flightEnd))}`
}

function endsText(line: FlyingLine, forecast: Forecast | null): string {
  if (line.pricingBasis === "flat_rate") return "It is sold at a flat rate, and has not been marked as delivered."
  const so = `${formatNumber(line.total?.quantity ?? 0)}${line.booked === null ? "" : ` of ${formatNumber(line.booked)}`} ${unitOf(line)} so far.`
  return `${so} ${forecastText(line, forecast, false)}`.trim()
}

function overText(line: FlyingLine, today: CalendarDate): string {
  const left = daysLeft(line, today)
  const days = left === null ? "no end of the flight" : formatCount(left, "day left", "days left")
  return `${formatNumber(line.total?.quantity ?? 0)} of ${formatNumber(line.booked ?? 0)} ${unitOf(line)}, and ${days}. Anything delivered from here on is unpaid.`
}
