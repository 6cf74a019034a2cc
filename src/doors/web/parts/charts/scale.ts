import { memoize } from "../../../../domain/memoize.ts"

const compact = memoize(200, (currency: string) => {
  const money = currency === "" ? {} : ({ style: "currency", currency, currencyDisplay: "narrowSymbol" } as const)
  return new Intl.NumberFormat("en", {
    notation: "compact",
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
    ...money,
  })
})

/** Short numbers for an axis: 420K, 1.5M, €2K. */
export function formatCompact(value: number, currency: string | null = null): string {
  return compact(currency ?? "").format(value)
}

/** Round values from 0 to at least `max`, about `wanted` steps of them. */
export function ticksUpTo(max: number, wanted: number): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough * 0.999) ?? 10) * power
  const count = Math.ceil(max / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

/** A share as a percentage for an attribute, without a tail of digits. */
export const percentOf = (share: number): string => `${trimmed(share * 100)}%`

export const trimmed = (value: number): string => String(Math.round(value * 100) / 100)
