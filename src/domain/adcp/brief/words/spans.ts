import { memoize } from "../../../memoize.ts"
import type { Language, Role } from "./grammar.ts"
import { isSpoken, isSuffix, languageOf, rolesIn } from "./languages.ts"
import { isDoubtful, type Meaning, type Phrases, phrases } from "./phrases.ts"
import { fold, stemOf, type Token } from "./tokenize.ts"

/** Whether one letter was left out, added or changed, or two of them were swapped. */
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
const nounEndings =
  "erne orna arna eita ille ssa sta lla lle ita eja ene ien en er es em et ne ar or ja ia ta e n s a t".split(" ")
const NOUN_CHARACTERS_MIN = 4

function withoutEnding(word: string, vocabulary: Phrases): Token | undefined {
  for (const ending of nounEndings) {
    if (!word.endsWith(ending) || word.length - ending.length < NOUN_CHARACTERS_MIN) continue
    const noun = tokenOf(word.slice(0, -ending.length))
    if (vocabulary.of(noun.stem)?.some(({ kind }) => leading.has(kind))) return noun
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
function splitCompound(word: string, vocabulary: Phrases): Token[] {
  if (word.length < COMPOUND_CHARACTERS_MIN) return []
  for (let end = word.length - PART_CHARACTERS_MIN; end >= PART_CHARACTERS_MIN; end--) {
    const last = word.slice(end)
    if (vocabulary.of(stemOf(last)) === undefined && !isSuffix(last)) continue
    for (const joint of joints) {
      const first = word.slice(0, end - joint.length)
      if (first.length < PART_CHARACTERS_MIN || !word.slice(0, end).endsWith(joint)) continue
      if (vocabulary.of(stemOf(first))?.some(({ kind }) => leading.has(kind)))
        return [tokenOf(first), { ...tokenOf(last), isGlued: true }]
    }
  }
  return []
}

function tokenOf(word: string): Token {
  const plain = { isNumber: false, isGlued: false, isAfterBreak: false, isAfterStop: false }
  return { raw: word, word: fold(word), stem: stemOf(word), ...plain }
}

/** One or more tokens that mean something together. Where nothing is known of a token it stands alone, without meanings. */
export interface Span {
  readonly tokens: readonly Token[]
  readonly meanings: readonly Meaning[]
  /** What it does in the sentence, where it does something. */
  readonly role: Role | undefined
  /** Not 0 where the text says that this is not wanted; the same number for what is so together. */
  unwanted: number
}

type Known = (stem: string) => boolean

// Looking for what a misspelt word may be costs most; a brief with more of them than this is not misspelt.
const CORRECTIONS_MAX = 40
const NONE: readonly Meaning[] = []

/** A text as a row of phrases. `isKnown` tells which words the products have, so that they are not taken for misspelt. */
export function spansOf(tokens: readonly Token[], isKnown: Known, language: Language = languageOf(tokens)): Span[] {
  const vocabulary = phrases()
  const roleAt = rolesIn(language)
  const spans: Span[] = []
  let corrections = 0
  for (let place = 0; place < tokens.length; ) {
    const token = tokens[place] as Token
    const match = vocabulary.longestAt(tokens, place)
    const spoken = roleAt(tokens, place)
    const length = Math.max(match?.length ?? 0, spoken?.length ?? 0)
    if (length > 0) {
      const meant = length === 1 ? [token] : tokens.slice(place, place + length)
      const meanings = match?.length === length ? match.meanings : NONE
      const all = length > 1 ? withParts(meanings, meant, vocabulary) : meanings
      spans.push({
        tokens: meant,
        meanings: all,
        role: spoken?.length === length ? spoken.role : undefined,
        unwanted: 0,
      })
      place += length
      continue
    }
    const isTried = corrections < CORRECTIONS_MAX && isWorthCorrecting(token, isKnown)
    if (isTried) corrections++
    const repaired = isTried ? repair(token.word) : []
    for (const part of repaired) spans.push(repairedSpan(part, token, vocabulary))
    if (repaired.length === 0) spans.push({ tokens: [token], meanings: NONE, role: undefined, unwanted: 0 })
    place++
  }
  return spans
}

/** Each part of a word, the first of them where the word stands. */
function repairedSpan(part: Token, { isAfterBreak, isAfterStop }: Token, vocabulary: Phrases): Span {
  const token = part.isGlued ? part : { ...part, isAfterBreak, isAfterStop }
  const role = part.isGlued && isSuffix(part.word) ? "suffix" : undefined
  return { tokens: [token], meanings: vocabulary.of(part.stem) ?? NONE, role, unwanted: 0 }
}

function isWorthCorrecting({ isNumber, word, stem }: Token, isKnown: Known): boolean {
  return !isNumber && word.length > 4 && !isDoubtful(word) && !isKnown(stem) && !isSpoken(word)
}

const REPAIRS_MAX = 10_000

/** What an unknown word is made of, or what it is a slip of; nothing where it is neither. Words come back, so it is remembered. */
const repair = memoize(REPAIRS_MAX, (word: string): readonly Token[] => {
  const vocabulary = phrases()
  const noun = withoutEnding(word, vocabulary)
  if (noun !== undefined) return [noun]
  const parts = splitCompound(word, vocabulary)
  if (parts.length > 0) return parts
  const meant = vocabulary.alike(word).find((token) => isOneLetterOff(word, token.word))
  return meant === undefined ? [] : [meant]
})

/** "Rewarded video" is video too. What a phrase is about its words do not tell: "out of home" is not about homes. */
function withParts(meanings: readonly Meaning[], tokens: readonly Token[], vocabulary: Phrases): readonly Meaning[] {
  const isFeature = meanings.some(({ kind }) => kind === "feature")
  const isPart = ({ kind }: Meaning) => (kind === "channel" && isFeature) || kind === "feature"
  if (!meanings.some(({ kind }) => kind === "feature" || kind === "channel")) return meanings
  const parts = tokens.flatMap(({ stem }) => vocabulary.of(stem) ?? [])
  const more = parts.filter((part) => isPart(part) && !meanings.some(({ kind }) => kind === part.kind))
  return more.length === 0 ? meanings : [...meanings, ...more]
}
