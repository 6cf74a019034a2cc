import { dan } from "stopword/src/stopwords_dan.js"
import { deu } from "stopword/src/stopwords_deu.js"
import { eng } from "stopword/src/stopwords_eng.js"
import { fin } from "stopword/src/stopwords_fin.js"
import { fra } from "stopword/src/stopwords_fra.js"
import { nld } from "stopword/src/stopwords_nld.js"
import { nob } from "stopword/src/stopwords_nob.js"
import { spa } from "stopword/src/stopwords_spa.js"
import { swe } from "stopword/src/stopwords_swe.js"
import { grammar, type Language, languageMarks, languages, type Role } from "./grammar.ts"
import { fold, isAscii, type Token, tokenize } from "./tokenize.ts"

const commonWords: Readonly<Record<Language, readonly string[]>> = {
  en: eng,
  // An egg is no small word; in Finnish it is "no".
  de: deu.filter((word) => word !== "ei"),
  fr: fra,
  es: spa,
  nl: nld,
  sv: swe,
  da: dan,
  nb: nob,
  fi: fin,
}

/** In which languages a word only holds sentences together, as the places of the languages. */
const common = new Map<string, number[]>()
/** In which languages a word or a letter is at home. */
const votes = new Map<string, number[]>()
const rolesOf = new Map<string, (Role | undefined)[]>()
/** Of a first word, the most words of a phrase that begins with it. */
const longest = new Map<string, number>()

// Buyers mix languages; what these do to a sentence is never a coincidence.
const decisive = new Set<Role>(["not", "except", "after", "but"])

/** To be called once before anything is read. */
export function prepareLanguages(): void {
  for (const [place, language] of languages.entries()) {
    for (const word of commonWords[language]) {
      enter(common, fold(word), place)
      if (word.length > 1) enter(votes, fold(word), place)
    }
    for (const mark of languageMarks[language].split(" ")) enter(votes, mark.length === 1 ? mark : fold(mark), place)
    for (const [role, words = ""] of Object.entries(grammar[language]))
      for (const phrase of words.split(", ")) enterRole(phrase, role as Role, place)
  }
}

function enter(places: Map<string, number[]>, word: string, place: number): void {
  const existing = places.get(word)
  if (existing === undefined) places.set(word, [place])
  else if (existing.at(-1) !== place) existing.push(place)
}

function enterRole(phrase: string, role: Role, place: number): void {
  const words = tokenize(phrase).map(({ word }) => word)
  const key = words.join(" ")
  const roles = rolesOf.get(key) ?? []
  // Of two roles of a word in a language, the table names the stronger one first.
  roles[place] ??= role
  rolesOf.set(key, roles)
  const [first = ""] = words
  longest.set(first, Math.max(longest.get(first) ?? 0, words.length))
  if (words.length > 1) return
  enter(votes, first, place)
  // Who negates with a word speaks the language.
  if (decisive.has(role)) votes.get(first)?.push(place)
}

/** Whether a word may end with this to say that something is missing: "podcastfrei". */
export function isSuffix(word: string): boolean {
  return rolesOf.get(word)?.includes("suffix") === true
}

/** Whether a word is one of sentences, in any language of briefs, and so is no slip of another. */
export const isSpoken = (word: string): boolean => common.has(word) || rolesOf.has(word)

export function isStopWord(word: string): boolean {
  return common.has(word)
}

/** The language of a text by its small words; English where nothing tells. */
export function languageOf(tokens: readonly Token[]): Language {
  const counts = new Float64Array(languages.length)
  for (const { word, raw, isNumber } of tokens) {
    count(counts, votes.get(word))
    if (!isNumber && !isAscii(raw))
      for (const letter of raw.toLowerCase()) if (letter > "~") count(counts, votes.get(letter))
  }
  let best = 0
  for (let place = 1; place < counts.length; place++) if ((counts[place] ?? 0) > (counts[best] ?? 0)) best = place
  return languages[best] ?? "en"
}

/** A word that many languages have tells little. */
function count(counts: Float64Array, places: readonly number[] | undefined): void {
  if (places === undefined) return
  const share = 1 / places.length
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number
    counts[place] = (counts[place] ?? 0) + share
  }
}

/** What the phrase that begins at a token does in a sentence of that language, and over how many tokens. */
export function rolesIn(language: Language): (tokens: readonly Token[], place: number) => Spoken | undefined {
  const own = languages.indexOf(language)
  return (tokens, place) => {
    let key = tokens[place]?.word ?? ""
    const most = longest.get(key)
    if (most === undefined) return undefined
    let best: Spoken | undefined
    for (let length = 1; length <= most; length++) {
      if (length > 1) {
        const next = tokens[place + length - 1]
        if (next === undefined || next.isAfterBreak) break
        key += ` ${next.word}`
      }
      const role = roleIn(key, own)
      if (role !== undefined) best = { role, length }
    }
    return best
  }
}

interface Spoken {
  readonly role: Role
  readonly length: number
}

function roleIn(phrase: string, own: number): Role | undefined {
  const roles = rolesOf.get(phrase)
  if (roles === undefined) return undefined
  if (roles[own] !== undefined || common.get(phrase)?.includes(own)) return roles[own]
  return roles.find((role) => role !== undefined && decisive.has(role))
}
