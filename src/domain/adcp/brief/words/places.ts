import { COUNTRY_CODES } from "../../../countries.ts"
import { memoize } from "../../../memoize.ts"
import { type Language, languages } from "./languages.ts"
import { isCapital, Phrases, type Token, wordSet } from "./tokens.ts"

// Names beside those that the runtime knows.
const aliases: Readonly<Record<string, string>> = {
  GB: "United Kingdom, Northern Ireland, Nordirland, Irlande du Nord, Irlanda del Norte, Great Britain, Britain, England, UK, Großbritannien, Grossbritannien, England, Royaume-Uni, Grande-Bretagne, Angleterre, Reino Unido, Gran Bretaña, Inglaterra, British Isles",
  US: "United States, United States of America, USA, Vereinigte Staaten, États-Unis, Estados Unidos, EE UU, EEUU",
  NL: "Netherlands, the Netherlands, Holland, Niederlande, Niederlanden, Pays-Bas, Países Bajos, Holanda, Hollande",
  CZ: "Czech Republic, Czechia, Tschechien, République tchèque, República Checa",
  TR: "Turkey",
  AE: "United Arab Emirates, UAE, Emirates",
  KR: "South Korea, Südkorea, Corée du Sud, Corea del Sur",
  "DE AT CH": "DACH, D-A-CH, DACH-Region, DACH region",
}

// Also a city or a state of another country: never.
const cities = wordSet("georgia granada salvador jersey")
// Also something else: a first name, a bird, a fruit. Only after a word for "in".
const doubtful = wordSet(
  "jordan chad turkey guinea niger mali guernsey man island martinique reunion togo samoa nauru tonga dominica mayotte montserrat curacao grenada bermuda dominique maurice",
)
// The name stands for another place after these: "New England", "Papua New Guinea".
const elsewhere = wordSet("new nouvelle nueva neu papua latin")

// Where something or somebody comes from or goes is no market: "wine from Spain", "based in Germany", "travellers to Sweden"; but "readers from
// Spain" are one.
const ORIGIN =
  /^(?:to|nach|vers|hacia|a|from|aus|desde|depuis|made|based|headquartered|founded|produced|grown|born|nees?|nacio|nacid[oa]s?|registered|office|ansassig|hergestellt|sitz|sitzen|sitzt|gegrundet|basee?s?|fabriquee?s?|siege|bureaux?|sede|basad[oa]s?|hech[oa]s?|fabricad[oa]s?|oficinas?)$/

const adjectives: Readonly<Record<string, RegExp>> = {
  DE: /^(?:german|deutsche[nr]?|allemande?s?|aleman(?:a|es|as)?)$/,
  AT: /^(?:austrian|osterreichischen?|autrichien(?:ne)?s?|austriac[oa]s?)$/,
  CH: /^(?:swiss|schweizer(?:ischen?)?|suisses?|suiz[oa]s?)$/,
  FR: /^(?:french|franzosischen?|francaise?s?|frances(?:a|es|as)?)$/,
  GB: /^(?:british|britischen?|britanniques?|britanic[oa]s?)$/,
  US: /^(?:american|amerikanischen?|americaine?s?|estadounidenses?)$/,
  ES: /^(?:spanish|spanischen?|espagnole?s?|espanol(?:a|es|as)?)$/,
  IT: /^(?:italian|italienischen?|italien(?:ne)?s?|italian[oa]s?)$/,
  NL: /^(?:dutch|niederlandischen?|neerlandaise?s?|holandes(?:a|es|as)?)$/,
  BE: /^(?:belgian|belgischen?|belges?|belgas?)$/,
  IE: /^(?:irish|irischen?|irlandaise?s?|irlandes(?:a|es|as)?)$/,
  CA: /^(?:canadian|kanadischen?|canadien(?:ne)?s?|canadienses?)$/,
  MX: /^(?:mexican|mexikanischen?|mexicaine?s?|mexican[oa]s?)$/,
}
// Who or what is of a country, beside the adjective. "French wine" may be wanted anywhere.
const people =
  wordSet(`ads market markets audience audiences readers listeners viewers consumers customers users shoppers buyers households families parents mums mothers women men drivers commuters homeowners dentists doctors
  markt leser leserinnen hörer zuschauer verbraucher kunden nutzer haushalte familien eltern mütter frauen männer autofahrer pendler zahnärzte
  marché lecteurs auditeurs téléspectateurs consommateurs clients foyers familles femmes hommes dentistes médecins
  mercado lectores oyentes espectadores consumidores clientes usuarios hogares familias padres madres mujeres hombres dentistas médicos`)

/** The names in a language and in English, or in all four where that is not certain. */
const namesIn = memoize(languages.length + 1, (language: Language | "any") => {
  const names = new Phrases<readonly string[]>()
  for (const [codes, list] of Object.entries(aliases))
    for (const alias of list.split(",")) names.add(alias, codes.split(" "))
  for (const each of language === "any" ? languages : new Set([language, "en"])) {
    const regions = new Intl.DisplayNames(each, { type: "region", fallback: "none" })
    for (const code of COUNTRY_CODES) names.add(regions.of(code) ?? "", [code])
  }
  return names
})

export interface Place {
  readonly countries: readonly string[]
  readonly length: number
}

/** Whether the place that begins here is where something comes from or goes. */
export function isOrigin(tokens: readonly Token[], at: number): boolean {
  // "From Vicenza, Italy".
  const isAfterCity = tokens[at]?.gap === "comma" && isCapital(tokens[at - 1]?.raw ?? "")
  let before = isAfterCity ? at - 2 : at - 1
  while (tokens[before + 1]?.gap === "space" && linking.has(tokens[before]?.word ?? "")) before--
  const isLinked = tokens[before + 1]?.gap === "space" && ORIGIN.test(tokens[before]?.word ?? "")
  return isLinked && !people.has(tokens[before - 1]?.word ?? "")
}

const linking = wordSet("the in der den dem en la le les l el los las au aux")

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

/** The countries that are named at a place for sure; undefined where none is. */
export function placeAt(
  tokens: readonly Token[],
  at: number,
  language: Language | undefined,
  letters: Letters,
): Place | undefined {
  const token = tokens[at] as Token
  const codes = codesAt(tokens, at, letters)
  if (codes !== undefined) return codes
  const named = namesIn(language ?? "any").at(tokens, at)
  if (named !== undefined && isNamed(tokens, at, named.words.length, letters))
    return { countries: named.value, length: named.words.length }
  return token.raw === "US" && !letters.isUpper ? { countries: ["US"], length: 1 } : undefined
}

function isNamed(tokens: readonly Token[], at: number, length: number, letters: Letters): boolean {
  const { word, raw } = tokens[at] as Token
  const before = tokens[at - 1]
  if (cities.has(word) || (tokens[at]?.gap === "space" && elsewhere.has(before?.word ?? ""))) return false
  // A roof.
  if (word === "dach" && length === 1 && raw !== "DACH") return false
  const isWritten = isCapital(raw) || letters.isLower || (length > 1 && isCapital(tokens[at + length - 1]?.raw ?? ""))
  const isIn = tokens[at]?.gap === "space" && beforePlaces.has(before?.word ?? "")
  // "in germany", in a brief that has capitals elsewhere.
  return isIn
    ? isWritten || (!doubtful.has(word) && raw.length > SHORT_NAME)
    : isWritten && (length > 1 || !doubtful.has(word))
}

const SHORT_NAME = 4
const beforePlaces = wordSet("in en im to within across throughout inside au aux für for para pour")

// Codes that are words or abbreviations of the trade: never.
const never = new Set("TV AI AD ID PR CC PM AM CV SM TM PS MS MC IO GP BI MM CM PC VC IM CO".split(" "))
// Words in capitals: only beside two sure ones.
const inLists = new Set("IT NO BE IN IS ME MY LA SO TO DO AS AT HR DE ES SE RE GE LI MA PA TO".split(" "))
const alone = new Set("AT DE ES BE SE".split(" "))
const beforeCodes = wordSet(
  "in für pour para en geo geos market markets markt märkte marché marchés mercado mercados country countries land länder pays país paises territory territories region",
)
const isCode = ({ raw }: Token) => (COUNTRY_CODES.has(raw) || raw === "UK" || raw === "USA") && !never.has(raw)
const codeOf = ({ raw }: Token) => (raw === "UK" ? "GB" : raw === "USA" ? "US" : raw)
const joints = /^(?:and|und|et|y|or|oder|ou|o)$/

/** Codes in capitals, in a list of them or after a word that asks for one. */
function codesAt(tokens: readonly Token[], at: number, { isUpper }: Letters): Place | undefined {
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
  if (!isSure || (codes.length === 1 && !isAsked)) return undefined
  return { countries: [...new Set(codes.map(codeOf))], length: end - at }
}

/** "German readers", "padres franceses": an adjective beside who or what is of a country. */
export function adjectiveAt(tokens: readonly Token[], at: number): string | undefined {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  const isBefore = next?.gap === "space" && people.has(next.word)
  const isAfter = token?.gap === "space" && people.has(before?.word ?? "")
  if (token === undefined || (!isBefore && !isAfter)) return undefined
  return Object.keys(adjectives).find((code) => adjectives[code]?.test(token.word))
}
