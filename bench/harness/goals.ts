import type { Figure, Goal } from "./scenario.ts"

/** The product does at least this share of what the other does. */
export function atLeast(share: number, figures: readonly Figure[], product: string, other: string): Goal {
  const ratio = medianOf(figures, product) / medianOf(figures, other)
  const promise = share < 2 ? `at least ${share} of ${other}` : `at least ${share} x ${other}`
  return { promise, measured: ratio.toFixed(2), met: ratio >= share }
}

export function atMost(limit: number, unit: string, value: number, what: string): Goal {
  return { promise: `${what} at most ${limit} ${unit}`, measured: `${value.toFixed(1)} ${unit}`, met: value <= limit }
}

/** The product's own figure on one side of a comparison with itself. */
export function below(limit: number, unit: string, value: number, what: string): Goal {
  return { promise: `${what} under ${limit} ${unit}`, measured: `${value.toFixed(1)} ${unit}`, met: value < limit }
}

export function medianOf(figures: readonly Figure[], contender: string): number {
  const figure = figures.find((one) => one.contender === contender)
  if (figure === undefined) throw new Error(`no figure for ${contender}`)
  return figure.spread.median
}
