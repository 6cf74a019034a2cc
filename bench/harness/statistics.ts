/** Middle value, and how far the rounds lie apart: what a reader needs to judge a ratio. */
export interface Spread {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

export function spreadOf(rounds: readonly number[]): Spread {
  const sorted = rounds.toSorted((a, b) => a - b)
  return { median: percentile(sorted, 0.5), lowest: sorted.at(0) ?? 0, highest: sorted.at(-1) ?? 0 }
}

/** The value below which this share of the sorted values lies; between two values, their weighted mean. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return 0
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? below
  return below + (above - below) * (place - Math.floor(place))
}
