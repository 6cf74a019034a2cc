import { type Static, Type } from "@sinclair/typebox"

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

/** A product opened to an agent key, in these territories. */
export interface Opening {
  readonly productId: string
  readonly territories: Territories
}

/** Unique and sorted; "everywhere" replaces all others. */
export function normalTerritories(territories: readonly string[]): Territories {
  if (territories.includes(EVERYWHERE)) return [EVERYWHERE]
  return [...new Set(territories)].sort()
}

// ISO 3166-1 alpha-2, the officially assigned codes.
const COUNTRY_CODES: ReadonlySet<string> = new Set(
  [
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT",
    "BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH",
    "ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT",
    "HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS",
    "LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI",
    "NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG",
    "SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG",
    "UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW",
  ]
    .join(" ")
    .split(" "),
)

/** Codes that are not countries, such as the typos UK or XX. */
export function unknownTerritories(territories: readonly string[]): string[] {
  return territories.filter((code) => code !== EVERYWHERE && !COUNTRY_CODES.has(code))
}

export type ReadTerritories =
  | { readonly ok: true; readonly codes: readonly string[] }
  | { readonly ok: false; readonly message: string }

/** Parses typed territories: codes in any case, separated by commas or spaces, or * for everywhere. */
export function readTerritories(text: string): ReadTerritories {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== "")
  const unknown = unknownTerritories(codes)
  if (unknown.length === 0) return { ok: true, codes }
  const named = unknown.map((code) => `"${code}"`).join(", ")
  return { ok: false, message: `${named}: no country has this code. ISO 3166-1 codes look like DE or AT.` }
}
