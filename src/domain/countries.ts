import { memoize } from "./memoize.ts"

// ISO 3166-1 alpha-2, the officially assigned codes.
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
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

/** Whether a text is written as a code is, also one that is not assigned. */
export const isCountryCode = (text: string): boolean => /^[A-Z]{2}$/.test(text)

// Made at first use: two hundred names would be a part of the program's start.
const countries = memoize(1, (language: "en") => {
  const names = new Intl.DisplayNames(language, { type: "region" })
  const nameOf = new Map([...COUNTRY_CODES].map((code) => [code, names.of(code) ?? code]))
  return { nameOf, codeOf: new Map([...nameOf].map(([code, name]) => [plain(name), code])) }
})

/** Austria for AT; the code itself for one that is not a country. */
export const nameOfCountry = (code: string): string => countries("en").nameOf.get(code) ?? code

export const countryNames = (): string[] =>
  [...countries("en").nameOf.values()].toSorted((a, b) => a.localeCompare(b, "en"))

/** The code of a country by its English name, in any case and without accents; undefined where there is none. */
export const codeOfCountry = (name: string): string | undefined => countries("en").codeOf.get(plain(name))

const plain = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("&", "and")
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim()
    .toLowerCase()
