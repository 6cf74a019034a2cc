import type { Figure, Goal } from "./scenario.ts"

/** With the same processor time the product does at least this share of what the other does. */
export function atLeast(share: number, figures: readonly Figure[], product: string, other: string): Goal {
  const ratio = microsOf(figures, other) / microsOf(figures, product)
  const promise = `at least ${share}${share < 2 ? " of" : " x"} ${other}, by processor time`
  return { promise, measured: ratio.toFixed(2), met: ratio >= share }
}

export function atMost(limit: number, unit: string, value: number, what: string): Goal {
  return { promise: `${what} at most ${limit} ${unit}`, measured: `${value.toFixed(1)} ${unit}`, met: value <= limit }
}

function microsOf(figures: readonly Figure[], contender: string): number {
  const median = figures.find((figure) => figure.contender === contender)?.micros?.median
  if (median === undefined) throw new Error(`no processor time of ${contender}`)
  return median
}
