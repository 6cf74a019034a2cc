import { isDoubtful, type Meaning, meaningOf, type Phrases, phrases } from "./phrases.ts"
import { fold, stemOf, type Token } from "./tokenize.ts"

/** The known word that differs by one letter: left out, added, changed, or two of them swapped. */
function correct(word: string, known: readonly Token[]): Token | undefined {
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
function withoutEnding({ word }: Token, known: Phrases): Token | undefined {
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
function splitCompound({ word }: Token, known: Phrases): Token[] {
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

/** One or more tokens that mean something together. Where nothing is known of a token it stands alone, without meanings. */
export interface Span {
  readonly tokens: readonly Token[]
  readonly meanings: readonly Meaning[]
  /** Whether "no", "without" or the like stands before it. */
  readonly isNegated: boolean
}

type Known = (stem: string) => boolean

// Looking for what a misspelt word may be costs most; a brief with more of them than this is not misspelt.
const CORRECTIONS_MAX = 40
const NEGATION_REACH = 3

/** A text as a row of phrases. `isKnown` tells which words the products have, so that they are not taken for misspelt. */
export function spansOf(tokens: readonly Token[], isKnown: Known): Span[] {
  const known = phrases()
  const spans: Span[] = []
  let corrections = 0
  let negatedUntil = -1
  for (let place = 0; place < tokens.length; ) {
    const token = tokens[place] as Token
    if (token.isAfterBreak) negatedUntil = -1
    const isNegated = place < negatedUntil
    const found = known.longestAt(tokens, place)
    if (found === undefined) {
      const isTried = corrections < CORRECTIONS_MAX && isWorthCorrecting(token, isKnown)
      if (isTried) corrections++
      const repaired = isTried ? repair(token, known) : []
      for (const part of repaired) spans.push({ tokens: [part], meanings: known.of(part.stem) ?? [], isNegated })
      if (repaired.length === 0) spans.push({ tokens: [token], meanings: [], isNegated })
      place++
      continue
    }
    const meant = tokens.slice(place, place + found.length)
    const meanings = found.length > 1 ? withParts(found.meanings, meant, known) : found.meanings
    place += found.length
    if (meaningOf(meanings, "negation")) negatedUntil = place + NEGATION_REACH
    spans.push({ tokens: meant, meanings, isNegated })
  }
  return spans
}

function isWorthCorrecting({ isNumber, word, stem }: Token, isKnown: Known): boolean {
  return !isNumber && word.length > 4 && !isDoubtful(word) && !isKnown(stem)
}

const REPAIRS_MAX = 10_000
const repairs = new Map<string, readonly Token[]>()

/** What an unknown word is made of, or what it is a slip of; nothing where it is neither. Words come back, so it is remembered. */
function repair(token: Token, known: Phrases): readonly Token[] {
  const before = repairs.get(token.word)
  if (before !== undefined) return before
  if (repairs.size >= REPAIRS_MAX) repairs.clear()
  const repaired = repairAnew(token, known)
  repairs.set(token.word, repaired)
  return repaired
}

function repairAnew(token: Token, known: Phrases): readonly Token[] {
  const noun = withoutEnding(token, known)
  if (noun !== undefined) return [noun]
  const parts = splitCompound(token, known)
  if (parts.length > 0) return parts
  const meant = correct(token.word, known.alike(token.word))
  return meant === undefined ? [] : [meant]
}

/** A phrase also means what its words mean, unless it says something of that kind itself: "rewarded video" is video too. */
function withParts(meanings: readonly Meaning[], tokens: readonly Token[], known: Phrases): readonly Meaning[] {
  const kinds = new Set<string>(meanings.map(({ kind }) => kind))
  if (kinds.has("filler")) return meanings
  const parts = tokens.flatMap(({ stem }) => known.of(stem) ?? [])
  const more = parts.filter(
    ({ kind }) => !kinds.has(kind) && (kind === "channel" || kind === "topic" || kind === "feature"),
  )
  return more.length === 0 ? meanings : [...meanings, ...more]
}
