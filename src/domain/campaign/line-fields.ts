import { Name } from "../people/organization.ts"
import { checkFor } from "../schema/check.ts"
import { DECIMAL, moneyIn, type NumberField, readNumber, WHOLE } from "../text/typed-number.ts"
import { readPeriod, type TypedPeriod } from "../time/typed-day.ts"
import { ExternalId, type PricingBasis } from "./package-line.ts"

/** A line from a form, every field a string. */
export type TypedLine = { readonly [Field in keyof CheckedLine]: string }

export interface CheckedLine {
  readonly name: string
  readonly pricingBasis: PricingBasis
  readonly flightStart: string
  readonly flightEnd: string | null
  readonly booked: number | null
  readonly rate: number | null
  readonly currency: string | null
  /** The seller's own id of the line. */
  readonly externalId: string | null
}

/** Only the editable fields of a line, for its revision. */
export function lineFields(line: CheckedLine): CheckedLine {
  const { name, pricingBasis, flightStart, flightEnd, booked, rate, currency, externalId } = line
  return { name, pricingBasis, flightStart, flightEnd, booked, rate, currency, externalId }
}

export type LineErrors = Readonly<Partial<Record<keyof TypedLine, string>>>

type LineCheck = { readonly ok: true; readonly line: CheckedLine } | { readonly ok: false; readonly errors: LineErrors }

/** Fields of a line that do not fit the others, however they are entered: nobody knows what a bare 32.00 is worth. */
export function misfitsOf(line: Readonly<Record<"pricingBasis" | "booked" | "rate" | "currency", unknown>>) {
  return {
    booked: line.pricingBasis === "flat_rate" && line.booked !== null,
    currency: line.rate !== null && line.currency === null,
  }
}

const isName = checkFor(Name)
const isExternalId = checkFor(ExternalId)
const BASES: readonly string[] = ["impressions", "downloads", "flat_rate"] satisfies PricingBasis[]

/** The parsed line, or an error for each invalid field. */
export function checkLine(typed: TypedLine): LineCheck {
  const { name, pricingBasis, currency, externalId } = typed
  const flight = readPeriod(typed.flightStart, typed.flightEnd)
  const misfits = misfitsOf({
    pricingBasis,
    booked: typed.booked || null,
    rate: typed.rate || null,
    currency: currency || null,
  })
  // Impressions are whole numbers, so "1,000" can only mean a thousand.
  const booked = misfits.booked ? NO_QUANTITY : optional(typed.booked, pricingBasis === "impressions" ? WHOLE : DECIMAL)
  const rate = optional(typed.rate, moneyIn(currency))
  const errors = {
    ...(!isName(name).ok && { name: "Give the line a name of at most 200 characters." }),
    ...(!BASES.includes(pricingBasis) && { pricingBasis: "Choose what the line is priced on." }),
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

const EXTERNAL_ID_RULE = "At most 128 characters, without control characters."
export const EXTERNAL_ID_TAKEN = "Another line of yours already has this ID."

const NOTHING = { ok: true, value: null } as const
const NO_QUANTITY = { ok: false, message: "A flat rate has no quantity. Leave this empty." } as const

const optional = (text: string, field: NumberField) => (text === "" ? NOTHING : readNumber(text, field))

function flightErrors({ from, to, errors }: TypedPeriod) {
  const isBackwards = from !== null && to !== null && to < from
  return {
    ...(from === null && { flightStart: errors.from ?? "Give a day such as 2026-11-14." }),
    ...(errors.to !== undefined && {
      flightEnd: isBackwards ? `The flight cannot end on ${to}, before it starts on ${from}.` : errors.to,
    }),
  }
}
