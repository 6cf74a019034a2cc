import { stemmer } from "stemmer"
import { memoize } from "../../../memoize.ts"

const MARKS = /\p{M}/gu
const ODD_LETTERS = /[ßøæœðþłđ]/g
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ð: "d",
  þ: "th",
  ł: "l",
  đ: "d",
}

/** Lower case without accents, as words are compared. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isAscii(lower)) return lower
  return lower
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(ODD_LETTERS, (letter) => plainLetters[letter] ?? letter)
}

export function isAscii(text: string): boolean {
  for (let place = 0; place < text.length; place++) if (text.charCodeAt(place) > 127) return false
  return true
}

// These would fall together with other words.
const unstemmed = new Set(
  "news business series sports athens paris wales training running runner runners watches stocks designed drivers marche marches".split(
    " ",
  ),
)
const STEMS_MAX = 20_000

/** What the forms of a word have in common. English rules; plurals and endings of other languages mostly lose the same letters. */
export const stemOf = memoize(STEMS_MAX, (folded: string): string => {
  if (folded.length < 4 || unstemmed.has(folded) || /\d/.test(folded)) return folded
  if (folded.length === 4) return /[^suio]s$/.test(folded) ? folded.slice(0, 3) : folded
  const stem = stemmer(folded)
  // runner, running; but not their shorter look-alikes.
  return /([bdgmnprt])\1er$/.test(stem) ? stem.slice(0, -3) : stem
})

export interface Token {
  readonly raw: string
  readonly word: string
  readonly stem: string
  readonly isNumber: boolean
  /** Whether nothing but a hyphen stands between this and the token before it. */
  readonly isGlued: boolean
  /** Whether a comma or the end of a sentence stands before it. */
  readonly isAfterBreak: boolean
  /** Whether it is more than a comma. */
  readonly isAfterStop: boolean
}

const TEXT_CHARACTERS_MAX = 20_000
const TOKENS_MAX = 4_000
const WORD_CHARACTERS_MAX = 40

// Numbers with their separators, words, and the signs that mean something beside a number.
const TOKENS =
  /\d+(?:[.,'’]\d+)*(?:[ \u00a0\u202f]\d{3}(?!\d))*(?:,\d{1,2}(?!\d))?|[\p{L}\p{M}]+|[€$£¥%:×"″+&]|[–-](?!\p{L})/gu

const STOPS = ";.!?()\n"
// The full stop behind these ends no sentence.
const abbreviations = new Set("max min ca approx incl inkl excl exkl mio mia tsd bzw etc nr vs resp".split(" "))

/** What ends between two tokens: nothing, the part before a comma, or a sentence. */
function breakIn(text: string, start: number, end: number, before: string): 0 | 1 | 2 {
  let strength: 0 | 1 = 0
  for (let place = start; place < end; place++) {
    const sign = text.charAt(place)
    if (sign === ",") strength = 1
    else if (STOPS.includes(sign) && !(sign === "." && abbreviations.has(before))) return 2
  }
  return strength
}

/** The words, numbers and signs of a text, in order. A very long text counts by its start. */
export function tokenize(text: string, tokensMax = TOKENS_MAX): Token[] {
  const tokens: Token[] = []
  const start = text.length > TEXT_CHARACTERS_MAX ? text.slice(0, TEXT_CHARACTERS_MAX) : text
  let end = -1
  let before = ""
  TOKENS.lastIndex = 0
  for (let match = TOKENS.exec(start); match !== null; match = TOKENS.exec(start)) {
    const raw = match[0]
    const { index } = match
    const isGlued = index === end || (index === end + 1 && text.charAt(end) === "-")
    // Mostly a space stands between.
    const isSpace = index === end + 1 && text.charAt(end) === " "
    const broken = isGlued || isSpace || end < 0 ? 0 : breakIn(text, end, index, before)
    end = index + raw.length
    if (raw.length > WORD_CHARACTERS_MAX) continue
    if (tokens.length === tokensMax) break
    const first = raw.charCodeAt(0)
    const isNumber = first >= 48 && first <= 57
    before = isNumber ? raw : fold(raw)
    const stem = isNumber ? raw : stemOf(before)
    tokens.push({ raw, word: before, stem, isNumber, isGlued, isAfterBreak: broken > 0, isAfterStop: broken > 1 })
  }
  return tokens
}
