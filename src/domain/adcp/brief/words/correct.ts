import { fold, stemOf } from "./fold.ts"
import type { Phrases } from "./phrases.ts"
import type { Token } from "./tokenize.ts"

/** The known word that differs by one letter: left out, added, changed, or two of them swapped. */
export function correct(word: string, known: readonly Token[]): Token | undefined {
  return known.find((token) => isOneLetterOff(word, token.word))
}

function isOneLetterOff(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length)
  if (longer - Math.min(a.length, b.length) > 1) return false
  let start = 0
  while (start < longer && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let end = 0
  while (end < longer - start - 1 && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++
  if (start + end >= longer - 1) return true
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start]
  return a.length === b.length && start + end === longer - 2 && isSwapped
}

// What German, the Nordic languages and Finnish put behind a noun, the longest first.
const nounEndings = "erne orna arna ille ssa sta lla lle ene ien en er es em et ne ar or e n s a t".split(" ")
const NOUN_CHARACTERS_MIN = 4

/** The known word that a word is a form of. */
export function withoutEnding({ word }: Token, known: Phrases): Token | undefined {
  for (const ending of nounEndings) {
    if (!word.endsWith(ending) || word.length - ending.length < NOUN_CHARACTERS_MIN) continue
    const noun = tokenOf(word.slice(0, -ending.length))
    if (known.of(noun.stem)?.some(({ kind }) => leading.has(kind))) return noun
  }
  return undefined
}

const COMPOUND_CHARACTERS_MIN = 7
const PART_CHARACTERS_MIN = 3
// Letters that German and the Nordic languages put between the parts.
const joints = ["", "s", "n", "en", "es", "e"]
// What a form of a word or the first part of a compound may be: a function word there is a coincidence.
const leading = new Set(["channel", "topic", "countries", "months", "feature"])

/** The two known words that a word is put together from, or none: podcastwerbung, kinospot, weihnachtskampagne. */
export function splitCompound({ word }: Token, known: Phrases): Token[] {
  if (word.length < COMPOUND_CHARACTERS_MIN) return []
  for (let end = word.length - PART_CHARACTERS_MIN; end >= PART_CHARACTERS_MIN; end--) {
    const last = known.of(stemOf(word.slice(end)))
    if (last === undefined) continue
    for (const joint of joints) {
      const first = word.slice(0, end - joint.length)
      if (first.length < PART_CHARACTERS_MIN || !word.slice(0, end).endsWith(joint)) continue
      if (known.of(stemOf(first))?.some(({ kind }) => leading.has(kind)))
        return [tokenOf(first), tokenOf(word.slice(end))]
    }
  }
  return []
}

function tokenOf(word: string): Token {
  return { raw: word, word: fold(word), stem: stemOf(word), isNumber: false, isGlued: false, isAfterBreak: false }
}
