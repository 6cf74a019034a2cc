import { type Static, Type } from "@sinclair/typebox"
import { COUNTRY_CODES, codeOfCountry } from "../countries.ts"

export const EVERYWHERE = "*"

export const Territories = Type.Array(
  Type.String({
    pattern: "^(?:[A-Z]{2}|\\*)$",
    title: "an ISO 3166-1 alpha-2 code such as DE, or * for everywhere",
  }),
  {
    minItems: 1,
    maxItems: 300,
    description: 'Where the product may be bought: country codes, or ["*"] for everywhere.',
  },
)
export type Territories = Static<typeof Territories>

export type Opening = Readonly<{ productId: string; territories: Territories }>

/** Unique and sorted; "everywhere" replaces all others. */
export function normalTerritories(territories: readonly string[]): Territories {
  if (territories.includes(EVERYWHERE)) return [EVERYWHERE]
  return [...new Set(territories)].sort()
}

/** Codes that are not countries, such as the typos UK or XX. */
export const unknownTerritories = (territories: readonly string[]): string[] =>
  territories.filter((code) => code !== EVERYWHERE && !COUNTRY_CODES.has(code))

type ReadTerritories =
  | { readonly ok: true; readonly codes: readonly string[] }
  | { readonly ok: false; readonly message: string }

/** Parses typed territories: names or codes of countries in any case, separated by commas, or * for everywhere. */
export function readTerritories(text: string): ReadTerritories {
  const codes = text
    .split(/[,;\n]+/)
    .flatMap((part) => codeOfCountry(part) ?? part.trim().toUpperCase().split(/\s+/))
    .filter((code) => code !== "")
  const unknown = unknownTerritories(codes)
  if (unknown.length === 0) return { ok: true, codes }
  const named = unknown.map((code) => `"${code}"`).join(", ")
  return { ok: false, message: `${named}: no country has this code or name. Type DE or Germany.` }
}
