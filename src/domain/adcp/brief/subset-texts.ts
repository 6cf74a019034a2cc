/** More names than this are not told apart: a subset is a sum of powers of two, which a number holds exactly up to here. */
export const SUBSET_NAMES_MAX = 50

/** Texts about some of the names, by the sum of the powers of two of their places. Each is made once: most products share one. */
export type SubsetTexts = (subset: number) => string

export function subsetTexts(names: readonly string[], write: (chosen: readonly string[]) => string): SubsetTexts {
  const texts = new Map<number, string>()
  return (subset) => {
    const known = texts.get(subset)
    if (known !== undefined) return known
    const text = write(names.filter((_, place) => Math.floor(subset / 2 ** place) % 2 === 1))
    texts.set(subset, text)
    return text
  }
}
