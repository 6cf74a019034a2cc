import { COUNTRY_CODES } from "../../../countries.ts"
import { once } from "../../../memoize.ts"
import { allWords, languages, words } from "./languages.ts"
import { isCapital, type Token, tokenize, wordSet } from "./tokens.ts"

// Also a city or a state of another country: never.
const cities = wordSet("georgia granada salvador jersey")
// Also something else: a first name, a bird, a fruit. Only after a word for "in".
const doubtful = wordSet(
  "jordan chad turkey guinea niger mali guernsey man island martinique reunion togo samoa nauru tonga dominica mayotte montserrat curacao grenada bermuda dominique maurice",
)
const elsewhere = wordSet(allWords(({ notBeforeCountries }) => notBeforeCountries))

/** Each name with its countries, and the languages in which it is one. Some are the same in several. */
export function namesOfCountries() {
  const names = new Map<string, { readonly name: string; readonly countries: readonly string[]; languages: string }>()
  const add = (name: string, countries: readonly string[], language: string) => {
    const known = names.get(name)
    if (known === undefined) names.set(name, { name, countries, languages: language })
    else known.languages += ` ${language}`
  }
  const everywhere = languages.join(" ")
  for (const row of languages.flatMap((language) => words[language].countries.split("\n"))) {
    const [codes = "", list = ""] = row.trim().split(": ")
    for (const alias of list.split(", ")) add(alias, codes.split(" "), everywhere)
  }
  for (const language of languages) {
    const regions = new Intl.DisplayNames(language, { type: "region", fallback: "none" })
    // English names are used in all of them.
    for (const code of COUNTRY_CODES) add(regions.of(code) ?? "", [code], language === "en" ? everywhere : language)
  }
  return names.values()
}

// Also a county, a feast, a first name.
const noCities = new Set(["Norfolk", "Christmas", "Stanley"])

/** Each city with its country. A country with one time zone has it named after its largest city, or after itself. */
export function namesOfCities() {
  const listed = languages.flatMap((language) => words[language].cities.split("; "))
  const largest = [...COUNTRY_CODES].flatMap((code) => {
    const zones = new Intl.Locale(`und-${code}`).getTimeZones() ?? []
    const name = zones[0]?.split("/").at(-1)?.replaceAll("_", " ") ?? ""
    return zones.length === 1 && !noCities.has(name) ? [`${code}: ${name}`] : []
  })
  return [...listed, ...largest].flatMap((row) => {
    const [country = "", names = ""] = row.split(": ")
    return names.split(", ").map((name) => ({ name, countries: [country] }))
  })
}

/** "In Wien", "à Lyon", "across the UK". */
export function isBehindIn(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.gap !== "space") return false
  const before = tokens[at - 1]
  if (articles.has(before?.word ?? "")) return isBehindIn(tokens, at - 1)
  return beforePlaces.has(before?.word ?? "") || before?.raw === "à"
}

const articles = wordSet("the der den dem la las el los")

/** Whether a city is where something is: "in Wien", "à Lyon", but not "Vienna Bakery" nor "from Paris". */
export function isInCity(tokens: readonly Token[], at: number, to: number, isGerman: boolean): boolean {
  const [token, next] = [tokens[at] as Token, tokens[to]]
  if (!isBehindIn(tokens, at) || !isCapital(token.raw)) return false
  // "Paris, Texas", "London Zoo". German nouns all have a capital.
  const isAlone = tokens[to + 1]?.gap !== "space"
  return !(isCapital(next?.raw ?? "") && (next?.gap === "space" || (next?.gap === "comma" && isAlone && !isGerman)))
}

// As the runtime names languages, of countries and their people: "German", "britannique".
const LOCALES = "de fr es it nl pl pt sv-SE da-DK de-AT fr-CH en-GB en-US en-CA en-AU es-MX pt-BR"

/** Countries by the stems of their adjectives. */
export const adjectives = once(() => {
  const found = new Map<string, string>()
  for (const language of languages) {
    const names = new Intl.DisplayNames(language, { type: "language" })
    const stemsOf = (locale: string) => tokenize(names.of(locale) ?? "").map((token) => token.stem)
    for (const locale of LOCALES.split(" ")) {
      const [spoken = "", country = spoken.toUpperCase()] = locale.split("-")
      const isOwn = locale === spoken || /^(?:sv|da)-/.test(locale)
      const stems = isOwn ? stemsOf(spoken) : stemsOf(locale).filter((each) => !stemsOf(spoken).includes(each))
      for (const stem of stems) if (stem.length > 2 && !found.has(stem)) found.set(stem, country)
    }
  }
  return found
})

export interface NamedCountries {
  readonly countries: readonly string[]
  readonly length: number
}

/** Whether a brief is written all in capitals, or without any, so that they tell nothing. */
export interface Letters {
  readonly isLower: boolean
  readonly isUpper: boolean
}

export function lettersOf(tokens: readonly Token[]): Letters {
  const words = tokens.filter(({ raw }) => /^\p{L}{2}/u.test(raw))
  const isLower = !words.some(({ raw }) => isCapital(raw))
  return { isLower, isUpper: words.length > 2 && !words.some(({ raw }) => raw !== raw.toUpperCase()) }
}

/** Whether what has the name of a country is written and placed as one. */
export function isWrittenAsPlace(tokens: readonly Token[], at: number, length: number, letters: Letters): boolean {
  const { word, raw } = tokens[at] as Token
  const before = tokens[at - 1]
  if (cities.has(word) || (tokens[at]?.gap === "space" && elsewhere.has(before?.word ?? ""))) return false
  // A roof.
  if (word === "dach" && length === 1 && raw !== "DACH") return false
  const isWritten = isCapital(raw) || letters.isLower || (length > 1 && isCapital(tokens[at + length - 1]?.raw ?? ""))
  const isIn = isBehindIn(tokens, at)
  // "in germany", in a brief that has capitals elsewhere.
  return isIn
    ? isWritten || (!doubtful.has(word) && raw.length > SHORT_NAME)
    : isWritten && (length > 1 || !doubtful.has(word))
}

const SHORT_NAME = 4
const beforePlaces = wordSet(allWords(({ beforeCountries }) => beforeCountries))

// Codes that are words or abbreviations of the trade: never.
const never = new Set("TV AI AD ID PR CC PM AM CV SM TM PS MS MC IO GP BI MM CM PC VC IM CO".split(" "))
// Words in capitals: only beside two sure ones.
const inLists = new Set("IT NO BE IN IS ME MY LA SO TO DO AS AT HR DE ES SE RE GE LI MA PA TO".split(" "))
const alone = new Set("AT DE ES BE SE".split(" "))
const beforeCodes = wordSet(allWords((of) => of.beforeCodes))
const isCode = ({ raw }: Token) => (COUNTRY_CODES.has(raw) || raw === "UK" || raw === "USA") && !never.has(raw)
const codeOf = ({ raw }: Token) => (raw === "UK" ? "GB" : raw === "USA" ? "US" : raw)
const joints = /^(?:and|und|et|y|or|oder|ou|o)$/

/** Codes in capitals, in a list of them or after a word that asks for one. */
export function codesAt(tokens: readonly Token[], at: number, { isUpper }: Letters): NamedCountries | undefined {
  if (isUpper || !isCode(tokens[at] as Token)) return undefined
  let end = at + 1
  while (end < tokens.length && end - at < 60) {
    const next = tokens[end] as Token
    if (isCode(next) && !/^(?:stop|question|item|part)$/.test(next.gap)) end++
    else if (next.gap === "space" && joints.test(next.word) && isCode(tokens[end + 1] ?? next)) end += 2
    else break
  }
  const codes = tokens.slice(at, end).filter(isCode)
  const sure = codes.filter(({ raw }) => !inLists.has(raw))
  const before = tokens[at - 1]
  const isAsked =
    before !== undefined && beforeCodes.has(before.word) && /^(?:space|colon)$/.test(tokens[at]?.gap ?? "")
  const isSure = sure.length > 0 || codes.every(({ raw }) => alone.has(raw))
  if (!isSure || (codes.length === 1 && !isAsked && codes[0]?.raw !== "US")) return undefined
  return { countries: [...new Set(codes.map(codeOf))], length: end - at }
}
