import { formatMicros } from "../../../domain/affiliate/affiliate-metric.ts"

const whole = new Intl.NumberFormat("en")
const rate = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })
const NOTHING = "–"

/** A count that may be larger than any number; a dash where none was ever sent. */
export const countInWords = (count: bigint | null): string => (count === null ? NOTHING : whole.format(count))

/** An amount to its last digit, with two decimal places at least. */
export function amountInWords(micros: bigint | null): string {
  if (micros === null) return NOTHING
  const [units = "0", fraction = ""] = formatMicros(micros).split(".")
  return `${whole.format(BigInt(units))}.${fraction.padEnd(2, "0")}`
}

/** How many of the clicks became conversions. */
export function rateInWords(clicks: bigint | null, conversions: bigint | null): string {
  if (clicks === null || conversions === null || clicks === 0n) return NOTHING
  return rate.format(Number((conversions * 1_000_000n) / clicks) / 1_000_000)
}

export const countText = (count: bigint | null): string | null => (count === null ? null : String(count))
export const amountText = (micros: bigint | null): string | null => (micros === null ? null : formatMicros(micros))

/** For a chart, where the last digit does not show. */
export const asNumber = (count: bigint | null): number | null => (count === null ? null : Number(count))
export const asUnits = (micros: bigint | null): number | null => (micros === null ? null : Number(micros) / 1_000_000)
