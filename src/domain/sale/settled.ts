import type { PacedLine } from "../campaign/line-state.ts"
import type { DeliveryTotal } from "../delivery/delivery.ts"
import { addedByDay, firstDayOf } from "../delivery/total-series.ts"
import { type CalendarDate, daysBefore } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import { compare, type Decimal, minus, sumOf } from "./money.ts"
import type { LineToState, SettledPart, Stated, StatementBody, Sum } from "./statement.ts"
import { countedWhole, statedIn, stateLine, statementsInForce, sumsOf, totalsOf } from "./statement.ts"

// What is settled is what frozen statements say, by line and period. A statement keeps its parts, so that nothing that is edited later
// moves them.

type Days = Pick<SettledPart, "from" | "to">

type LineInFlight = LineToState & PacedLine

/** Both days included. */
export function monthOf(day: CalendarDate): Days {
  const first = `${day.slice(0, 7)}-01`
  return { from: first, to: daysBefore(`${daysBefore(first, -31).slice(0, 7)}-01`, 1) }
}

/** What a line comes to, by the days in which it was delivered. `totals` are the last totals of its days, oldest first. */
export function partsOf(line: LineInFlight, totals: readonly DeliveryTotal[], zone: TimeZone, countsAll = false) {
  const { packageId, total } = line
  const currency = line.currency ?? ""
  if (line.rate === null || currency === "" || total === null) return []
  const isFlat = line.pricingBasis === "flat_rate"
  const added = isFlat ? [] : addedByDay(line, totals, zone)
  const reached = new Map<string, Days & { readonly quantity: number }>()
  const reach = (days: Days, quantity: number) => reached.set(days.from + days.to, { ...days, quantity })
  for (const day of added) reach(daysOfPart(firstDayOf(day), day.day), day.total)
  // A flat rate is delivered once; and what was reported while this was worked out belongs to the day of the current total.
  const last = dayOf(total.asOf, zone)
  const isSinceStart = !isFlat && added.length === 0 && line.flightStart < last
  reach(daysOfPart(isSinceStart ? line.flightStart : last, last), total.quantity)
  let before: Decimal = "0"
  const parts = [...reached.values()].map(({ from, to, quantity }): SettledPart => {
    const stated = stateLine({ ...line, total: { ...total, quantity } }, countsAll)
    const amount = minus(stated.amount, before, currency)
    before = stated.amount
    return { packageId, from, to, currency, amount }
  })
  return parts.filter(({ amount }) => compare(amount, 0) !== 0)
}

function daysOfPart(from: CalendarDate, to: CalendarDate): Days {
  const month = monthOf(to)
  return from >= month.from ? month : { from, to }
}

const keyOf = ({ packageId, from, to, currency }: SettledPart) => `${packageId} ${from} ${to} ${currency}`

/** What a new statement settles beyond those in force: together they are `parts`, and what is added by hand. */
export function partsBeyond(
  statements: readonly Stated[],
  parts: readonly SettledPart[],
  added: readonly Sum[],
  day: CalendarDate,
): SettledPart[] {
  const before = settledParts(statements)
  const less = before.map((part) => ({ ...part, amount: minus("0", part.amount, part.currency) }))
  const ofLines = [...parts, ...less.filter(({ packageId }) => packageId !== null)]
  const byHand = sumsOf([...added, ...less.filter(({ packageId }) => packageId === null)])
  const summed = [...Map.groupBy(ofLines, keyOf).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    return {
      ...first,
      amount: sumOf(
        [first, ...others].map(({ amount }) => amount),
        first.currency,
      ),
    }
  })
  const onDay = byHand.map((sum) => ({ packageId: null, from: day, to: day, ...sum }))
  return [...summed, ...onDay].filter(({ amount }) => compare(amount, 0) !== 0)
}

/** What those in force settled. Those that kept no parts settled all of it over all of their days. */
export const settledParts = (statements: readonly Stated[]): SettledPart[] =>
  statementsInForce(statements).flatMap(({ body }) => (body === null ? [] : (body.settles ?? undivided(body))))

function undivided(body: StatementBody): SettledPart[] {
  const measured = body.asOf === null ? [] : [dayOf(body.asOf, body.zone)]
  const [from = "", to = from] = [body.period.from, ...measured].sort()
  const days = daysOfPart(from, to)
  return totalsOf(body).map((sum) => ({ packageId: "", ...days, ...sum }))
}

/** What the next statement would come to if it were like the last one. */
export function notSettled(statements: readonly Stated[], lines: readonly LineToState[]): Sum[] {
  const inForce = statementsInForce(statements)
  const whole = countedWhole(inForce[0]?.body)
  const stated = lines.map((line) => stateLine(line, whole.includes(line.packageId)))
  const before = statedIn(inForce).map((sum) => ({ ...sum, amount: minus("0", sum.amount, sum.currency) }))
  return sumsOf([...stated, ...(inForce[0]?.body?.added ?? []), ...before])
}
