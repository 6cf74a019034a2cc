/** Clicks, conversions and their value in millionths, summed exactly. Null if none was ever reported. */
export interface Figures {
  readonly clicks: bigint | null
  readonly conversions: bigint | null
  readonly valueMicros: bigint | null
}

export const NO_FIGURES: Figures = { clicks: null, conversions: null, valueMicros: null }

export const addFigures = (a: Figures, b: Figures): Figures => ({
  clicks: add(a.clicks, b.clicks),
  conversions: add(a.conversions, b.conversions),
  valueMicros: add(a.valueMicros, b.valueMicros),
})

export const sumFigures = (all: readonly Figures[]): Figures => all.reduce(addFigures, NO_FIGURES)

const add = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : a + (b ?? 0n))
