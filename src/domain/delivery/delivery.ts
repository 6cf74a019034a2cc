import { type TNumber, type TOptional, Type } from "@sinclair/typebox"
import { type JudgedLine, PackageId, readPackageId } from "../campaign/package-line.ts"
import { COUNTED_BASES, takesFraction, UNITS, type Unit } from "../campaign/pricing-basis.ts"
import { WHOLE_NUMBER_MAX } from "../limits.ts"
import { isObject } from "../schema/batch.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { DAY_OR_MOMENT_PATTERN, isAfter, parseDate, parseTimestamp } from "../time/moment.ts"
import { dayOf, endOfDay, type TimeZone } from "../time/time-zone.ts"

/** Why an item is rejected, in the order of the checks. The first that applies is reported. */
export const DELIVERY_REASONS = [
  "invalid_item",
  "duplicate_package_id",
  "not_seller",
  "before_flight_start",
  "as_of_in_future",
  "flat_rate_takes_no_quantity",
  "quantity_required",
  "internal_error",
] as const
export type DeliveryReason = (typeof DELIVERY_REASONS)[number]
export type LineReason = Exclude<DeliveryReason, "invalid_item" | "duplicate_package_id" | "internal_error">

/** The effect of an accepted report: see `arrivalOf`. */
export const DELIVERY_EFFECTS = ["applied", "unchanged", "older_than_current"] as const
export type DeliveryEffect = (typeof DELIVERY_EFFECTS)[number]

const AsOf = Type.String({
  pattern: DAY_OR_MOMENT_PATTERN,
  description:
    "When the total was measured: a date (YYYY-MM-DD, the end of that day in your organization's time zone) or an " +
    "RFC 3339 timestamp with Z or an offset. Default: the time of receipt.",
  examples: ["2026-11-14", "2026-11-14T18:30:00+01:00"],
})

function quantityOf(unit: Unit) {
  const kind = takesFraction(unit) ? "May have a fraction." : "Never an increment."
  return {
    minimum: 0,
    maximum: WHOLE_NUMBER_MAX,
    description: `Total ${unit} delivered to date, for a line priced on ${unit}. ${kind}`,
    examples: [COUNTED_BASES[unit].example],
  }
}

const QUANTITIES = Object.fromEntries(
  UNITS.map((unit) => [unit, Type.Optional(Type[takesFraction(unit) ? "Number" : "Integer"](quantityOf(unit)))]),
) as Record<Unit, TOptional<TNumber>>

// Linters want no list of alternatives with one of them.
const [pair, ...pairs] = UNITS.flatMap((unit, i) => UNITS.slice(i + 1).map((other) => [unit, other])).map(
  (required) => ({
    properties: Object.fromEntries(required.map((unit) => [unit, {}])),
    required,
  }),
)

/** A delivery item as it is sent, never with two quantities. Unknown fields are ignored. */
export const DeliveryItemInput = Type.Object(
  { package_id: PackageId, ...QUANTITIES, as_of: Type.Optional(AsOf) },
  { not: pairs.length === 0 ? pair : { anyOf: [pair, ...pairs] } },
)

/** A parsed delivery item. Without a quantity it marks a flat-rate line as delivered. */
export interface DeliveryItem {
  readonly packageId: PackageId
  readonly unit: Unit | undefined
  readonly quantity: number
  /** A day, a moment, or undefined for the time of receipt. */
  readonly asOf: CalendarDate | Moment | undefined
}

/** The quantity that means "delivered" on a flat-rate line. */
export const FLAT_RATE_DELIVERED = 1

export function readItem(value: unknown): DeliveryItem | undefined {
  if (!isObject(value)) return undefined
  const fields = value as ItemFields
  const { package_id, as_of } = fields
  const packageId = readPackageId(package_id)
  if (packageId === undefined) return undefined

  const asOf = as_of === undefined ? undefined : readAsOf(as_of)
  if (as_of !== undefined && asOf === undefined) return undefined

  let item: DeliveryItem | undefined
  for (const unit of UNITS) {
    const sent = fields[unit]
    if (sent === undefined) continue
    const quantity = takesFraction(unit) ? readNumber(sent) : readWhole(sent)
    if (item !== undefined || quantity === undefined) return undefined
    item = { packageId, unit, quantity, asOf }
  }
  return item ?? { packageId, unit: undefined, quantity: FLAT_RATE_DELIVERED, asOf }
}

type ItemFields = { readonly [Name in keyof typeof DeliveryItemInput.properties]?: unknown }

const readWhole = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) + 0 : undefined

const readNumber = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= WHOLE_NUMBER_MAX ? value + 0 : undefined

// Most items of a feed have the timestamp of the one before.
let latest = { text: "", moment: parseTimestamp("") }

function readAsOf(value: unknown): CalendarDate | Moment | undefined {
  if (typeof value !== "string") return undefined
  if (value.length === 10) return parseDate(value)
  if (value !== latest.text) latest = { text: value, moment: parseTimestamp(value) }
  return latest.moment
}

/** The time of receipt, in the time zone of the selling organization. */
export type Receipt = Readonly<{ now: Moment; today: CalendarDate; zone: TimeZone }>

export const receiptAt = (now: Moment, zone: TimeZone): Receipt => ({ now, zone, today: dayOf(now, zone) })

/** The first reason, in published order, to reject a well-formed item; undefined when it is accepted. */
export function judge(item: DeliveryItem, line: JudgedLine | undefined, receipt: Receipt): LineReason | undefined {
  // Checked before any rule about the line, so that no answer tells a stranger whether the package exists.
  if (line === undefined) return "not_seller"
  if (receipt.today < line.flightStart || measuredOn(item, receipt) < line.flightStart) return "before_flight_start"
  if (isInFuture(item, receipt)) return "as_of_in_future"
  if (line.pricingBasis === "flat_rate") return item.unit === undefined ? undefined : "flat_rate_takes_no_quantity"
  return item.unit === line.pricingBasis ? undefined : "quantity_required"
}

function measuredOn({ asOf }: DeliveryItem, receipt: Receipt): CalendarDate {
  if (asOf === undefined) return receipt.today
  return typeof asOf === "string" ? asOf : dayOf(asOf, receipt.zone)
}

function isInFuture({ asOf }: DeliveryItem, receipt: Receipt): boolean {
  if (asOf === undefined) return false
  return typeof asOf === "string" ? asOf > receipt.today : isAfter(asOf, receipt.now)
}

/** When an accepted item was measured: a day means its end, or now while it is not over. */
export function measuredAt({ asOf }: DeliveryItem, receipt: Receipt): Moment {
  if (asOf === undefined) return receipt.now
  return typeof asOf === "string" ? Math.min(endOfDay(asOf, receipt.zone), receipt.now) : asOf
}

export type DeliveryTotal = Readonly<{ quantity: number; asOf: Moment }>

export const SOURCE_KINDS = ["key", "form", "file", "command"] as const

/** Where a report came from: an API key, a form, a file or the command line; whose, and which file. */
export type DeliverySource = Readonly<{ kind: (typeof SOURCE_KINDS)[number]; reference: string; detail: string }>
