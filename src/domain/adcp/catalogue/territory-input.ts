import { COUNTRY_CODES } from "../brief/words/countries.ts"
import { countryName, EVERYWHERE } from "./territory.ts"

/** The codes of all countries (ISO 3166-1 alpha-2), with their English names. */
export const COUNTRIES: ReadonlyMap<string, string> = new Map(
  (COUNTRY_CODES.match(/\S+/g) ?? []).map((code) => [code, countryName(code)]),
)

const CODE_OF_NAME = new Map([
  ...[...COUNTRIES].map(([code, name]) => [plain(name), code] as const),
  ["everywhere", EVERYWHERE] as const,
])

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

/** Reads typed territories: names or codes of countries separated by commas, or Everywhere or *. */
export function readTerritories(text: string): { readonly codes: string[] } | { readonly error: string } {
  const codes = text
    .split(/[,;\n]+/)
    .flatMap((part) => CODE_OF_NAME.get(plain(part)) ?? part.trim().toUpperCase().split(/\s+/))
    .filter((code) => code !== "")
  const unknown = codes.filter((code) => code !== EVERYWHERE && !COUNTRIES.has(code))
  if (unknown.length === 0) return { codes: tidyTerritories(codes) }
  const named = unknown.map((code) => `"${code}"`).join(", ")
  return { error: `${named}: no country has this code or name. Type DE or Germany.` }
}
