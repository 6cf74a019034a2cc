import type { SearchableProduct } from "../../src/domain/adcp/brief/search.ts"

const SATURATION = 1.2
const LENGTH_SHARE = 0.75

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Plain BM25 over names, descriptions, channels and countries, to compare with. Returns the IDs, best first. */
export function bm25(products: readonly SearchableProduct[]): (brief: string) => string[] {
  const texts = products.map(({ name, description, channels, territories }) =>
    wordsOf([name, description, ...channels, ...territories].join(" ")),
  )
  const averageLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length

  function scoreOf(text: readonly string[], word: string): number {
    const count = text.filter((each) => each === word).length
    const holders = texts.filter((each) => each.includes(word)).length
    const rarity = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
    const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * text.length) / averageLength
    return (rarity * count * (SATURATION + 1)) / (count + SATURATION * length)
  }

  return (brief) => {
    const words = new Set(wordsOf(brief))
    const scored = products.map(({ id }, i) => {
      const score = [...words].reduce((sum, word) => sum + scoreOf(texts[i] ?? [], word), 0)
      return { id, score }
    })
    return scored.toSorted((a, b) => b.score - a.score).map(({ id }) => id)
  }
}
