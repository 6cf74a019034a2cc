import { formatMicros } from "../../../domain/affiliate/affiliate-metric.ts"
import { formatMoney } from "../parts/format.tsx"

const whole = new Intl.NumberFormat("en")
const rate = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })
const NOTHING = "–"

/** A count, which may exceed what a number can hold; a dash where none was reported. */
export const formatCount = (count: bigint | null): string => (count === null ? NOTHING : whole.format(count))

/** An exact amount; a dash where none was reported. */
export function formatAmount(micros: bigint | null, currency: string | null): string {
  return micros === null ? NOTHING : formatMoney(formatMicros(micros) as `${number}`, currency)
}

/** Conversions per click. */
export function formatRate(clicks: bigint | null, conversions: bigint | null): string {
  if (clicks === null || conversions === null || clicks === 0n) return NOTHING
  return rate.format(Number((conversions * 1_000_000n) / clicks) / 1_000_000)
}

export const countText = (count: bigint | null): string | null => (count === null ? null : String(count))
export const amountText = (micros: bigint | null): string | null => (micros === null ? null : formatMicros(micros))

/** For a chart, where precision does not matter. */
export const asNumber = (count: bigint | null): number | null => (count === null ? null : Number(count))
export const asUnits = (micros: bigint | null): number | null => (micros === null ? null : Number(micros) / 1_000_000)
