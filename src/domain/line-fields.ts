import { checkFor } from "./check.ts"
import { WHOLE_NUMBER_MAX } from "./limits.ts"
import { parseDate } from "./moment.ts"
import { Name } from "./organization.ts"
import type { PricingBasis } from "./package-line.ts"
import { looksGrouped } from "./typed.ts"

/** A line as somebody typed it, every field a text. */
export interface TypedLine {
  readonly name: string
  readonly pricingBasis: string
  readonly flightStart: string
  readonly flightEnd: string
  readonly booked: string
  readonly rate: string
  readonly currency: string
}

export interface CheckedLine {
  readonly name: string
  readonly pricingBasis: PricingBasis
  readonly flightStart: string
  readonly flightEnd: string | null
  readonly booked: number | null
  readonly rate: number | null
  readonly currency: string | null
}

export type LineCheck =
  | { readonly ok: true; readonly line: CheckedLine }
  | { readonly ok: false; readonly errors: Readonly<Partial<Record<keyof TypedLine, string>>> }

const isName = checkFor(Name)
const BASES: readonly string[] = ["impressions", "downloads", "flat_rate"] satisfies PricingBasis[]
const NUMBER = /^\d{1,16}(?:\.\d{1,6})?$/

/** The line that the texts mean, or what is wrong with each field. */
export function checkLine(typed: TypedLine): LineCheck {
  const errors = {
    ...(!isName(typed.name).ok && { name: "Give the line a name of at most 200 characters." }),
    ...(!BASES.includes(typed.pricingBasis) && { pricingBasis: "Choose what the line is priced on." }),
    ...flightErrors(typed),
    ...amountErrors(typed),
    ...(!/^(?:[A-Z]{3})?$/.test(typed.currency) && { currency: "Three capital letters, such as EUR." }),
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  const { name, pricingBasis, flightStart, flightEnd, currency } = typed
  const line = {
    name,
    pricingBasis: pricingBasis as PricingBasis,
    flightStart,
    flightEnd: flightEnd === "" ? null : flightEnd,
    booked: typed.booked === "" || pricingBasis === "flat_rate" ? null : Number(typed.booked),
    rate: typed.rate === "" ? null : Number(typed.rate),
    currency: currency === "" ? null : currency,
  }
  return { ok: true, line }
}

function flightErrors({ flightStart, flightEnd }: TypedLine) {
  const day = "Give a day such as 2026-11-14."
  if (parseDate(flightStart) === undefined) return { flightStart: day }
  if (flightEnd === "") return {}
  if (parseDate(flightEnd) === undefined) return { flightEnd: day }
  return flightEnd < flightStart ? { flightEnd: "The flight cannot end before it starts." } : {}
}

function amountErrors({ booked, rate }: TypedLine) {
  const isAmount = (text: string) => text === "" || (NUMBER.test(text) && Number(text) <= WHOLE_NUMBER_MAX)
  const rule = "A number with a point for decimals and no other separators."
  const isBooking = isAmount(booked) && !looksGrouped(booked)
  return { ...(!isBooking && { booked: rule }), ...(!isAmount(rate) && { rate: rule }) }
}
