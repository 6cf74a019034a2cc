import { type Static, type TSchema, Type } from "@sinclair/typebox"
import type { DeliveryTotal } from "../delivery/delivery.ts"
import { Name, nameErrors } from "../people/organization.ts"
import { checkFor } from "../schema/check.ts"
import { DECIMAL, moneyIn, type NumberField, readNumber } from "../text/typed-number.ts"
import { dayInWords, dayOf, type TimeZone } from "../time/time-zone.ts"
import { readPeriod, type TypedPeriod } from "../time/typed-day.ts"
import { ExternalId } from "./package-line.ts"
import { ANY_UNIT, COUNTED_BASES, isPricingBasis, isUnit, PricingBasis } from "./pricing-basis.ts"

const CalendarDate = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", title: "a date written YYYY-MM-DD" })

const CurrencyCode = Type.String({
  pattern: "^[A-Z]{3}$",
  title: "an ISO 4217 code of three capital letters, such as EUR",
})

const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }))

/**
 * What its seller says of a line: the one list of these columns. Files, forms and tables have these names, the program has the same in
 * camel case. Import, export, forms and the SQL of both engines are made from it.
 */
export const LINE_COLUMNS = {
  name: { ...Name, description: "What people call the line." },
  pricing_basis: PricingBasis,
  flight_start: { ...CalendarDate, description: "The first day, in the seller's time zone: YYYY-MM-DD." },
  flight_end: orNull(CalendarDate, "The last day: YYYY-MM-DD. Absent or null: the line has no end."),
  booked: orNull(
    Type.Number({ minimum: 0 }),
    "How much was booked, in the unit of the pricing basis. Absent or null: nothing in particular; always so for a flat rate.",
  ),
  rate: orNull(Type.Number({ minimum: 0 }), `The price: for 1,000 ${ANY_UNIT}, or the flat rate.`),
  currency: orNull(CurrencyCode, "The currency of the rate: an ISO 4217 code such as EUR. Required with a rate."),
  external_id: orNull(
    ExternalId,
    "The seller's own ID for the line, such as the one in its ad server; unique within the seller. Absent leaves it as it is, null removes it.",
  ),
}

/** Columns that an import leaves as they are where a file does not have them. Of the others, absent means empty. */
const STAYING = ["external_id"] as const

type Columns = typeof LINE_COLUMNS
type Column = keyof Columns
type CamelCase<Text> = Text extends `${infer Start}_${infer Rest}` ? `${Start}${Capitalize<Rest>}` : Text
export type LineField = CamelCase<Column>
export type StayingField = CamelCase<(typeof STAYING)[number]>

export type LineFields = { readonly [Name in Column as CamelCase<Name>]: Static<Columns[Name]> }

export type TypedLine = Readonly<Record<LineField, string>>

export type LineColumn = Readonly<{ column: Column; field: LineField; isNumber: boolean; stays: boolean }>

export const lineColumns: readonly LineColumn[] = (Object.keys(LINE_COLUMNS) as Column[]).map((column) => ({
  column,
  field: column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as LineField,
  isNumber: isNumber(LINE_COLUMNS[column]),
  stays: STAYING.some((name) => name === column),
}))

/** Those that lists of lines have in their files, beside a name; what follows from the price is in columns of its own. */
export const fileColumns = lineColumns.filter(({ column }) =>
  ["pricing_basis", "flight_start", "flight_end", "booked"].includes(column),
)

function isNumber({ type, anyOf = [] }: TSchema): boolean {
  return type === "number" || anyOf.some(isNumber)
}

export const forEachField = <Value>(make: (column: LineColumn) => Value): Record<LineField, Value> =>
  Object.fromEntries(lineColumns.map((each) => [each.field, make(each)])) as Record<LineField, Value>

/** Only the columns of a line, for its revision for example. */
export const lineFields = <Line extends Readonly<Record<LineField, unknown>>>(line: Line): Pick<Line, LineField> =>
  forEachField(({ field }) => line[field]) as Pick<Line, LineField>

export type LineErrors = Readonly<Partial<Record<keyof TypedLine, string>>>

type LineCheck = { readonly ok: true; readonly line: LineFields } | { readonly ok: false; readonly errors: LineErrors }

/** Fields of a line that do not fit the others, however they are entered: what a bare 32.00 is worth is unknown. */
export const misfitsOf = (line: Readonly<Record<"pricingBasis" | "booked" | "rate" | "currency", unknown>>) => ({
  booked: line.pricingBasis === "flat_rate" && line.booked !== null,
  currency: line.rate !== null && line.currency === null,
})

const isExternalId = checkFor(ExternalId)

export function checkLine(typed: TypedLine): LineCheck {
  const { name, pricingBasis, currency, externalId } = typed
  const flight = readPeriod(typed.flightStart, typed.flightEnd)
  const misfits = misfitsOf({
    pricingBasis,
    booked: typed.booked || null,
    rate: typed.rate || null,
    currency: currency || null,
  })
  // Nobody books the thousandth part of a download, so "1,000" can only mean a thousand.
  const quantity = {
    ...(isUnit(pricingBasis) ? COUNTED_BASES[pricingBasis].number : DECIMAL),
    ambiguous: "grouped",
  } as const
  const booked = misfits.booked ? NO_QUANTITY : optional(typed.booked, quantity)
  const rate = optional(typed.rate, moneyIn(currency))
  const errors = {
    ...nameErrors("name", name, "Give the line a name"),
    ...(!isPricingBasis(pricingBasis) && { pricingBasis: "Choose what the line is priced on." }),
    ...flightErrors(flight),
    ...(!booked.ok && { booked: booked.message }),
    ...(!rate.ok && { rate: rate.message }),
    ...(misfits.currency && { currency: "Choose the currency of the rate, such as EUR." }),
    ...(!/^(?:[A-Z]{3})?$/.test(currency) && { currency: "Three capital letters, such as EUR." }),
    ...(externalId !== "" && !isExternalId(externalId).ok && { externalId: EXTERNAL_ID_RULE }),
  }
  if (!booked.ok || !rate.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  const line = {
    name,
    pricingBasis: pricingBasis as PricingBasis,
    flightStart: flight.from ?? "",
    flightEnd: flight.to,
    booked: booked.value,
    rate: rate.value,
    currency: currency === "" ? null : currency,
    externalId: externalId === "" ? null : externalId,
  }
  return { ok: true, line }
}

/** What is changed so that it contradicts the figures: less than what is delivered, or a flight after them. Either may be right. */
export function againstFigures(line: LineFields, before: FiguredLine, zone: TimeZone): LineErrors {
  const { total, booked, flightStart } = before
  if (total === null) return {}
  const measured = dayOf(total.asOf, zone)
  const isLess = line.booked !== null && line.booked !== booked && line.booked < total.quantity
  const isLater = line.flightStart !== flightStart && line.flightStart > measured
  return {
    ...(isLess && { booked: `${total.quantity.toLocaleString("en")} are delivered already.` }),
    ...(isLater && { flightStart: `The total so far was measured before that, on ${dayInWords(measured)}.` }),
  }
}

type FiguredLine = Pick<LineFields, "booked" | "flightStart"> & { readonly total: DeliveryTotal | null }

const EXTERNAL_ID_RULE = "At most 128 characters, without control characters."
export const EXTERNAL_ID_TAKEN = "Another of your lines already has this ID."

const NOTHING = { ok: true, value: null } as const
const NO_QUANTITY = { ok: false, message: "A flat rate has no quantity. Leave this empty." } as const

const optional = (text: string, field: NumberField) => (text === "" ? NOTHING : readNumber(text, field))

function flightErrors({ from, to, errors }: TypedPeriod) {
  const isBackwards = from !== null && to !== null && to < from
  return {
    ...(from === null && { flightStart: errors.from ?? "Enter a day such as 2026-11-14." }),
    ...(errors.to !== undefined && {
      flightEnd: isBackwards
        ? `The flight cannot end on ${dayInWords(to)}, before it starts on ${dayInWords(from)}.`
        : errors.to,
    }),
  }
}
