import { stemmer } from "stemmer"
import { dan } from "stopword/src/stopwords_dan.js"
import { deu } from "stopword/src/stopwords_deu.js"
import { eng } from "stopword/src/stopwords_eng.js"
import { fin } from "stopword/src/stopwords_fin.js"
import { fra } from "stopword/src/stopwords_fra.js"
import { nld } from "stopword/src/stopwords_nld.js"
import { nob } from "stopword/src/stopwords_nob.js"
import { spa } from "stopword/src/stopwords_spa.js"
import { swe } from "stopword/src/stopwords_swe.js"

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

function isAscii(text: string): boolean {
  for (let place = 0; place < text.length; place++) if (text.charCodeAt(place) > 127) return false
  return true
}

// These would fall together with other words.
const unstemmed = new Set(["news", "business", "series", "sports", "athens", "paris", "wales", "training"])
const STEMS_MAX = 20_000
const stems = new Map<string, string>()

/** What the forms of a word have in common. English rules; plurals and endings of other languages mostly lose the same letters. */
export function stemOf(folded: string): string {
  if (folded.length < 4 || unstemmed.has(folded)) return folded
  const known = stems.get(folded)
  if (known !== undefined) return known
  if (stems.size >= STEMS_MAX) stems.clear()
  const stem = stemAnew(folded)
  stems.set(folded, stem)
  return stem
}

function stemAnew(word: string): string {
  if (/\d/.test(word)) return word
  if (word.length === 4) return /[^suio]s$/.test(word) ? word.slice(0, 3) : word
  const stem = stemmer(word)
  // runner, running; but not their shorter look-alikes.
  return /([bdgmnprt])\1er$/.test(stem) ? stem.slice(0, -3) : stem
}

export interface Token {
  /** As written. */
  readonly raw: string
  readonly word: string
  readonly stem: string
  readonly isNumber: boolean
  /** Whether nothing stands between this and the token before it. */
  readonly isGlued: boolean
  /** Whether a comma or the end of a sentence stands before it. */
  readonly isAfterBreak: boolean
}

const TEXT_CHARACTERS_MAX = 20_000
const TOKENS_MAX = 4_000
const WORD_CHARACTERS_MAX = 40

// Numbers with their separators, words, and the signs that mean something beside a number.
const TOKENS =
  /\d+(?:[.,'’]\d+)*(?:[ \u00a0\u202f]\d{3}(?!\d))*(?:,\d{1,2}(?!\d))?|[\p{L}\p{M}]+|[€$£¥%:×"″+&]|[–-](?!\p{L})/gu

const BREAKS = ",;.!?()\n"

function hasBreak(text: string, start: number, end: number): boolean {
  for (let place = start; place < end; place++) if (BREAKS.includes(text.charAt(place))) return true
  return false
}

/** The words, numbers and signs of a text, in order. A very long text counts by its start. */
export function tokenize(text: string, tokensMax = TOKENS_MAX): Token[] {
  const tokens: Token[] = []
  let end = -1
  for (const { 0: raw, index } of text.slice(0, TEXT_CHARACTERS_MAX).matchAll(TOKENS)) {
    const isGlued = index === end
    const isAfterBreak = !isGlued && end >= 0 && hasBreak(text, end, index)
    end = index + raw.length
    if (raw.length > WORD_CHARACTERS_MAX) continue
    if (tokens.length === tokensMax) break
    const first = raw.charCodeAt(0)
    const isNumber = first >= 48 && first <= 57
    const word = isNumber ? raw : fold(raw)
    tokens.push({ raw, word, stem: isNumber ? raw : stemOf(word), isNumber, isGlued, isAfterBreak })
  }
  return tokens
}

let words: ReadonlySet<string> = new Set()

export function prepareStopWords(): void {
  words = new Set([eng, deu, fra, spa, nld, swe, dan, nob, fin].flat().map(fold))
}

/** Whether a word only holds sentences together, in any language of briefs. */
export function isStopWord(word: string): boolean {
  return words.has(word)
}
