import table from "./frequent-words.txt" with { type: "text" }
import type { Language } from "./languages.ts"

// The 5,000 most frequent words of each language but for forms of others, written by scripts/frequent-words.ts: too many to be kept as text.

/** Of a language's table: seven for a word, so that none is missed, and one in thirty others is taken for one. */
export const FREQUENT_BITS = 28_000
const HASHES = 5

/** The bits that stand for a word. */
export function bitsOf(word: string): readonly number[] {
  let [a, b] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193) >>> 0
    b = Math.imul((b << 5) ^ (b >>> 27) ^ code, 0x5bd1e995) >>> 0
  }
  const bits: number[] = []
  for (let nth = 0; nth < HASHES; nth++) bits.push((a + nth * ((b | 1) >>> 0)) % FREQUENT_BITS)
  return bits
}

let tables: ReadonlyMap<string, Uint8Array> | undefined

const isIn = (bits: readonly number[], bytes: Uint8Array | undefined) =>
  bytes !== undefined && bits.every((bit) => ((bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)

/** Whether a folded word is among the most frequent ones of a language. */
export function isFrequent(word: string, language: Language): boolean {
  tables ??= new Map(
    table
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, 2), Buffer.from(line.slice(3), "base64")]),
  )
  return isIn(bitsOf(word), tables.get(language))
}
