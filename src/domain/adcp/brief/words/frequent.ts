import { memoize } from "../../../memoize.ts"
import table from "./frequent-words.txt" with { type: "text" }
import { stem } from "./tokens.ts"

// The stems of the 5,000 most frequent words of each language and of what every brief speaks of, written by scripts/frequent-words.ts: too many
// to be kept as text.

/** Five for a stem, so that none is missed, and one in eleven others is taken for one. */
export const FREQUENT_BITS = 60_000
const HASHES = 3
const REMEMBERED = 20_000

/** The bits that stand for a stem. */
export function bitsOf(key: string): readonly number[] {
  let [a, b] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193) >>> 0
    b = Math.imul((b << 5) ^ (b >>> 27) ^ code, 0x5bd1e995) >>> 0
  }
  return Array.from({ length: HASHES }, (_, nth) => (a + nth * ((b | 1) >>> 0)) % FREQUENT_BITS)
}

let bytes: Uint8Array | undefined

/** Whether everybody uses a folded word, in any of the languages and any form, so that it tells nothing. */
export const isFrequent = memoize(REMEMBERED, (word: string): boolean => {
  bytes ??= Buffer.from(table, "base64")
  return bitsOf(stem(word)).every((bit) => ((bytes?.[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
})
