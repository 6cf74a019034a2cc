import { memoize } from "../../../memoize.ts"

/** What stands between a word and the one before it, from the weakest to the end of a sentence. */
export type Gap = "space" | "hyphen" | "join" | "comma" | "colon" | "dash" | "part" | "item" | "question" | "stop"

export interface Token {
  readonly raw: string
  /** In lower case, without accents. */
  readonly word: string
  readonly stem: string
  readonly at: number
  readonly end: number
  /** Before it. */
  readonly gap: Gap
}

// Letters and digits; "don't" and "client's" are one word, "l'heure" is two. A cross says no.
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’](?:t|s|re|ve|ll)(?![\p{L}\p{N}]))?|[❌✗✘🚫⛔👎]/gu
const MARKS = /\p{M}/gu

/** Lower case without accents: "Größe" as "grosse". */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower
  return lower.replaceAll("ß", "ss").replaceAll("œ", "oe").normalize("NFD").replace(MARKS, "")
}

/** Folded words of a table. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(fold))

const ENDINGS = /(?:erinnen|innen|ungen|ings|ung|ing|ern|ers|eur|er|en|em|es|os|as|ies|e|n|s|o|a|y|x)$/
const PASSES = 3
const REST_MIN = 4
const STEMS_REMEMBERED = 20_000

/** What a folded word is searched by, the same for its usual forms in four languages. A hint: unlike words may share it. */
export const stem = memoize(STEMS_REMEMBERED, (word: string): string => {
  if (/\d/.test(word)) return word
  let rest = word
  for (let pass = 0; pass < PASSES; pass++) {
    const ending = ENDINGS.exec(rest)?.[0] ?? ""
    if (rest.length - ending.length >= REST_MIN) rest = rest.slice(0, rest.length - ending.length)
    else if (/(?:[^s]s|n)$/.test(rest) && rest.length >= REST_MIN && (rest.length > REST_MIN || rest.endsWith("s")))
      rest = rest.slice(0, -1)
    else break
  }
  return rest.replace(/([^aeiousl])\1$/, "$1")
})

// A point after these ends no sentence.
const shortened =
  wordSet(`max min ca approx appr z b u a zb ua bzw usw inkl incl excl exkl evtl ggf sek tsd mio mill nr st dr mr mrs ms prof etc e g i eg ie p ex env aprox vs
  jan feb mar apr jun jul aug sep sept okt oct nov dez dec janv fevr avr juil dic ene abr ee uu tel av pl hochst netto sec std`)

// Of a longer one its start is enough: no word is.
const WORD_CHARACTERS_MAX = 40

const WORDS_REMEMBERED = 20_000
/** Each brief has other numbers, which would push the words out of what is remembered. */
export const isDigits = (raw: string): boolean => /^\d+$/.test(raw)
// The same string each time, which tables find faster.
const formOf = memoize(WORDS_REMEMBERED, (raw: string) => {
  const word = fold(raw).replace(/['’](?:s$)?/, "")
  return { word, stem: stem(word) }
})

/** The words of a text, up to so many. */
export function tokenize(text: string, most = Number.POSITIVE_INFINITY): Token[] {
  const tokens: Token[] = []
  const lines = { isList: false }
  for (const match of text.matchAll(WORD)) {
    if (tokens.length >= most) break
    const [whole] = match
    const at = match.index
    const raw = whole.length > WORD_CHARACTERS_MAX ? whole.slice(0, WORD_CHARACTERS_MAX) : whole
    const before = tokens.at(-1)
    const gap = before === undefined ? "stop" : gapOf(text, before, at, lines)
    const form = isDigits(raw) ? { word: raw, stem: raw } : formOf(raw)
    tokens.push({ raw, word: form.word, stem: form.stem, at, end: at + whole.length, gap })
  }
  return tokens
}

function gapOf(text: string, { end, word, raw }: Token, at: number, lines: { isList: boolean }): Gap {
  const length = at - end
  if (length === 1) {
    const sign = text[end]
    if (sign === " ") return "space"
    if (sign === "'" || sign === "’") return "space"
    if (sign === "-") return "hyphen"
    // "5,000" is one number.
    if (sign === "," && /\d$/.test(raw) && /\d/.test(text[at] ?? "")) return "space"
  }
  // Of a long gap its first signs tell enough.
  const between = text.slice(end, Math.min(at, end + GAP_CHARACTERS_MAX))
  if (between === ", ") return "comma"
  if (/[!…\n\r]/.test(between)) return lineGapOf(between, text, at, lines)
  if (between.includes("?")) return "question"
  // "radio;no" is a row of a table.
  if (between === ";") return "comma"
  if (between.includes(";")) return "part"
  if (between.includes(".") && isEnd(between, word, raw, text[at] ?? "")) return "stop"
  if (/[:=]/.test(between)) return "colon"
  if (/[–—()[\]{}¿¡"“”„«»|→]|\s-+\s|->/.test(between)) return "dash"
  if (between.includes(",")) return "comma"
  return /[&+/]/.test(between) ? "join" : "space"
}

/** A line of a list begins with a sign, or stands below a colon, up to an empty line or one with a colon of its own. */
function lineGapOf(between: string, text: string, at: number, lines: { isList: boolean }): Gap {
  if (/\n\s*(?:[-*•–·]|\d{1,2}[.)])/.test(between)) return "item"
  const isBegun = /^\W*:[^\S\n]*\n[^\S\n]*$/.test(between)
  const isNext = isBegun || (lines.isList && /^[^\S\n]*\n[^\S\n]*$/.test(between))
  lines.isList = isNext && !/^[^\n]*:/.test(text.slice(at, at + LINE_CHARACTERS_MAX))
  if (!lines.isList) return "stop"
  return isBegun ? "colon" : "item"
}

const LINE_CHARACTERS_MAX = 200
const GAP_CHARACTERS_MAX = 30

/** A full stop ends a sentence before a small letter or a digit too, but not in numbers, addresses and after what is shortened. */
function isEnd(between: string, word: string, raw: string, next: string): boolean {
  if (between === ".") return !/\d/.test(raw) && next !== next.toLowerCase() && raw.length > 1
  if (shortened.has(word)) return /\.\s*\./.test(between)
  // "am 1. März": an ordinal; but a year or an amount ends a sentence as a word does.
  return !(/^(?:[12]?\d|3[01])$/.test(word) && /^\.\s+$/.test(between) && next !== next.toLowerCase())
}

interface Entry<Value> {
  readonly words: readonly string[]
  readonly value: Value
}

/**
 * Finds the longest of many phrases at a place among words; none goes over a comma or the end of a sentence. A * after a word of a phrase
 * stands for any ending.
 */
export class Phrases<Value> {
  /** By the first letters of their first words. */
  readonly #byStart = new Map<string, Entry<Value>[]>()
  /** Those that may begin with a word, the longest first. */
  readonly #beginning = memoize(WORDS_REMEMBERED, (word: string): readonly Entry<Value>[] =>
    (this.#byStart.get(word.slice(0, START)) ?? [])
      .filter(({ words: [first = ""] }) => isWord(word, first))
      .sort((a, b) => b.words.length - a.words.length),
  )

  /** "a|b c" stands for "a c" and "b c". Of two with the same words the first one stays. */
  add(phrase: string, value: Value): void {
    let all: string[][] = [[]]
    for (const part of phrase.trim().split(/\s+/)) {
      const variants = part.split("|").map(patternsOf)
      all = all.flatMap((start) => variants.map((words) => [...start, ...words]))
    }
    for (const words of all) {
      const [first] = words
      if (first === undefined) continue
      const key = first.replace("*", "").slice(0, START)
      this.#byStart.getOrInsertComputed(key, () => []).push({ words, value })
    }
  }

  at(tokens: readonly Token[], place: number, isMeant?: (value: Value) => boolean): Entry<Value> | undefined {
    const { word } = tokens[place] as Token
    if (isDigits(word)) return undefined
    for (const entry of this.#beginning(word))
      if (isHere(entry.words, tokens, place) && (isMeant?.(entry.value) ?? true)) return entry
    return undefined
  }
}

const START = 4
const patternsOf = (word: string) => wordsOf(word).map((each) => (word.endsWith("*") ? `${each}*` : each))

export const wordsOf = (phrase: string): string[] => tokenize(phrase).map(({ word }) => word)

const isWord = (word: string, pattern: string) =>
  word === pattern || (pattern.endsWith("*") && word.startsWith(pattern.slice(0, -1)))

function isHere(words: readonly string[], tokens: readonly Token[], place: number): boolean {
  for (let nth = 1; nth < words.length; nth++) {
    const token = tokens[place + nth]
    if (token === undefined || (token.gap !== "space" && token.gap !== "hyphen")) return false
    if (!isWord(token.word, words[nth] as string)) return false
  }
  return true
}

export const isCapital = (raw: string): boolean => /^\p{Lu}/u.test(raw)
