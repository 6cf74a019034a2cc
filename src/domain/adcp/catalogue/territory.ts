import { COUNTRY_CODES } from "../brief/words.ts"

/** A product with this territory is available in every country. */
export const EVERYWHERE = "*"

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" })
const ALL = new Intl.ListFormat("en-GB", { type: "conjunction" })

/** "Austria" for AT. The text itself if it isn't the code of a country. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (COUNTRY_NAMES.of(code) ?? code) : code)

export const covers = (territories: readonly string[], country: string): boolean =>
  territories.includes(EVERYWHERE) || territories.includes(country)

/** "Austria, Germany", as `readTerritories` reads it. */
export const territoriesInWords = (territories: readonly string[]): string =>
  territories.includes(EVERYWHERE) ? "Everywhere" : territories.map(countryName).join(", ")

/** The last sentence of a description, because AdCP has no field for it. */
export const territorySentence = (territories: readonly string[]): string =>
  territories.includes(EVERYWHERE)
    ? "Available everywhere."
    : `Available in ${ALL.format(territories.toSorted().map(countryName))}.`

/** The country of a metro area. Null if its system doesn't tell. */
export function countryOfMetro(system: string, code: string): string | null {
  if (system === "nielsen_dma") return "US"
  if (system.startsWith("uk_")) return "GB"
  if (system !== "eurostat_nuts2") return null
  const start = code.slice(0, 2)
  return { EL: "GR", UK: "GB" }[start] ?? start
}

const COUNTRIES: ReadonlySet<string> = new Set(COUNTRY_CODES)

/** Whether it's the code of a country (ISO 3166-1 alpha-2), or stands for all of them. */
export const isTerritory = (code: string): boolean => code === EVERYWHERE || COUNTRIES.has(code)

let codes: ReadonlyMap<string, string> | undefined

/** The code for each country's name. Made at the first use, because most commands don't need it, and would start later. */
function codesByName(): ReadonlyMap<string, string> {
  codes ??= new Map([
    ...COUNTRY_CODES.map((code) => [plain(countryName(code)), code] as const),
    ["everywhere", EVERYWHERE],
  ])
  return codes
}

function plain(name: string): string {
  const letters = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("&", "and")
  return letters
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim()
    .toLowerCase()
}

/** Unique and in order. "Everywhere" replaces all others. */
export const tidyTerritories = (codes: readonly string[]): string[] =>
  codes.includes(EVERYWHERE) ? [EVERYWHERE] : [...new Set(codes)].sort()

/** Codes with spaces between them. Null if a word is none, such as those of a city. */
function codesIn(text: string): string[] | null {
  const codes = text.toUpperCase().split(/\s+/)
  return codes.every(isTerritory) ? codes : null
}

/** Reads typed territories: names or codes of countries separated by commas, or Everywhere or *. */
export function readTerritories(text: string): { readonly codes: string[] } | { readonly error: string } {
  const codes = text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .flatMap((part) => codesByName().get(plain(part)) ?? codesIn(part) ?? part)
    .filter((code) => code !== "")
  const unknown = codes.find((code) => !isTerritory(code))
  if (unknown === undefined) return { codes: tidyTerritories(codes) }
  return { error: `“${unknown}” isn’t a country. Type DE or Germany.` }
}
