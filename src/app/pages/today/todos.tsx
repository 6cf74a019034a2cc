import { buyersToBill } from "../../../actions/sale/statements.ts"
import { usualInWords } from "../../../domain/activity.ts"
import { ENDED_DAYS_MAX, type PressingLine } from "../../../domain/campaign/attention.ts"
import { type Forecast, forecastOf, shareOffPlan } from "../../../domain/campaign/line-state.ts"
import { stateAt } from "../../../domain/sale/order.ts"
import { daysBetween, type Moment, spanInWords } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import type { LineDays } from "../../../storage/delivery/days.ts"
import { ordersOf } from "../../../storage/sales.ts"
import { lineAddress } from "../../find.ts"
import type { Todo } from "../../parts/blocks.tsx"
import { formatCount, formatNumber, formatPercent, formatQuantity } from "../../parts/format.tsx"
import { pacedDays } from "../../parts/line.tsx"
import type { Selling, SilentKey } from "../../selling.ts"
import { homeOf, type MemberVisit } from "../../visit.ts"

/** What needs attention, the most urgent first: silent keys, lines that can still be rescued, due totals, then the rest. */
export function todosOf(visit: MemberVisit, selling: Selling, totals: LineDays): Todo[] {
  const { silentKeys, pressing, due } = selling
  const behind = pressing.filter(({ state }) => state === "behind")
  const others = pressing.filter(({ state }) => state !== "behind")
  return [
    ...silentKeys.map((silent) => keyTodo(visit, silent)),
    ...behind.map((each) => lineTodo(visit, each, totals)),
    ...(due.length > 0 ? [dueTodo(visit, due)] : []),
    ...others.map((each) => lineTodo(visit, each, totals)),
  ]
}

function keyTodo(visit: MemberVisit, { key, rhythm: { silentFor, usualHours } }: SilentKey): Todo {
  const usual = usualHours === null ? "" : ` It usually reports ${usualInWords(usualHours)}.`
  return {
    tone: "bad",
    icon: "silent",
    subject: key.label,
    what: "has gone silent",
    text: `This API key has sent nothing for ${spanInWords(silentFor ?? 0)}.${usual}`,
    href: `${homeOf(visit)}/feed-activity?key=${key.id}`,
    action: "Open feed",
  }
}

function dueTodo(visit: MemberVisit, due: readonly StoredLine[]): Todo {
  const isFirst = due.every(({ total }) => total === null)
  const hasFlat = due.some(({ pricingBasis }) => pricingBasis === "flat_rate")
  const flat = hasFlat ? " Flat-rate lines that have ended are marked as delivered there." : ""
  return {
    tone: "warn",
    icon: "clock",
    subject: formatCount(due.length, "line"),
    what: `${due.length === 1 ? "has" : "have"} no total ${isFirst ? "yet" : "since yesterday"}`,
    text: `Lines that run, or ended in the last ${ENDED_DAYS_MAX} days. Type all totals on one page, or upload a file.${flat}`,
    href: `${homeOf(visit)}/totals?only=due`,
    action: "Report totals",
  }
}

function lineTodo(visit: MemberVisit, { line, state }: PressingLine<StoredLine>, totals: LineDays): Todo {
  const forecast = forecastOf(line, totals.get(line.id) ?? [], visit.now)
  const { what, text, ...looks } = TODOS[state](visit, line, forecast)
  return {
    ...looks,
    subject: line.name,
    what,
    // Lines of several campaigns are often called the same.
    text: `${line.campaign.name}. ${text}`.trim(),
    href: lineAddress(visit, line.campaign, line),
    action: "Open line",
  }
}

type TodoOf = (
  visit: MemberVisit,
  line: StoredLine,
  forecast: Forecast | null,
) => Pick<Todo, "tone" | "icon" | "what"> & { readonly text: string }

const TODOS: Readonly<Record<PressingLine<StoredLine>["state"], TodoOf>> = {
  behind(_, line, forecast) {
    const { neededPerDay = null, perDay = 0 } = forecast ?? {}
    const need = `It needs ${formatNumber(neededPerDay ?? 0)} a day but is delivering ${formatNumber(perDay)}.`
    const expected = expectedText(line, forecast)
    return {
      tone: "warn",
      icon: "down",
      what: `is ${formatPercent(Math.abs(shareOffPlan(line) ?? 0))} behind plan`,
      text: neededPerDay === null ? expected : `${expected} ${need}`,
    }
  },
  over_delivered({ now }, line) {
    const { flightEnd, timeZone } = line
    const left = flightEnd === null ? null : daysBetween(dayOf(now, timeZone), flightEnd) + 1
    const days = left === null ? "no end date" : formatCount(left, "day left", "days left")
    const text = `${quantityText(line)}, and ${days}. Further delivery isn’t billed.`
    return { tone: "over", icon: "up", what: "has delivered more than was booked", text }
  },
  ends_soon({ now }, line, forecast) {
    const text =
      line.pricingBasis === "flat_rate"
        ? "It has a flat rate and isn’t marked as delivered yet."
        : `${quantityText(line)} so far. ${expectedText(line, forecast)}`
    return { tone: "info", icon: "clock", what: `ends ${endInWords(line, now)}`, text }
  },
}

/** "209,057 of 420,000 impressions" */
const quantityText = ({ total, booked, pricingBasis }: StoredLine): string =>
  booked === null
    ? formatQuantity(total?.quantity ?? 0, pricingBasis)
    : `${formatNumber(total?.quantity ?? 0)} of ${formatQuantity(booked, pricingBasis)}`

function expectedText({ booked }: StoredLine, forecast: Forecast | null): string {
  if (forecast === null || booked === null || booked === 0) return ""
  const { atEnd } = forecast
  const share = formatPercent(atEnd / booked)
  return `At the pace of ${pacedDays(forecast)} it will end at ${formatNumber(atEnd)} of ${formatNumber(booked)} (${share}).`
}

const WEEKDAY = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" })

function endInWords({ flightEnd, timeZone }: StoredLine, now: Moment): string {
  if (flightEnd === null) return ""
  const left = daysBetween(dayOf(now, timeZone), flightEnd)
  if (left === 0) return "today"
  return left === 1 ? "tomorrow" : `on ${WEEKDAY.format(new Date(flightEnd))}`
}

/** Orders to answer, and buyers to bill for the month before this one. */
export async function saleTodos(visit: MemberVisit): Promise<Todo[]> {
  return [...(await orderTodo(visit)), ...(await monthTodo(visit))]
}

async function orderTodo(visit: MemberVisit): Promise<Todo[]> {
  const { read, organization, user, now } = visit
  const orders = await ordersOf(read, { organizationId: organization.id, isOperator: user.isOperator })
  const asked = orders.filter((order) => stateAt(order, now) === "asked")
  if (asked.length === 0) return []
  return [
    {
      tone: "warn",
      icon: "list",
      subject: formatCount(asked.length, "order"),
      what: "to answer",
      text: asked.map(({ product, requester }) => `${product.name} for ${requester.organization}`).join(", "),
      href: `${homeOf(visit)}/orders?state=asked`,
      action: "Open orders",
    },
  ]
}

const MONTH = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" })

/** The month is mentioned once the totals cover its last day. */
async function monthTodo(visit: MemberVisit): Promise<Todo[]> {
  const { read, organization, now, role, timeZone } = visit
  const { month, buyers } = await buyersToBill(read, organization.id, dayOf(now, timeZone))
  if (role !== "admin" || buyers.length === 0) return []
  return [
    {
      tone: "info",
      icon: "list",
      subject: MONTH.format(new Date(`${month}-01`)),
      what: `has ${formatCount(buyers.length, "buyer")} to bill`,
      text: buyers.map(({ buyer }) => buyer).join(", "),
      href: `${homeOf(visit)}/statements?month=${month}&only=to-bill`,
      action: "Open statements",
    },
  ]
}
