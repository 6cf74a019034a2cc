import { languages } from "./grammar.ts"

// Names of months, of large numbers and of seconds and minutes in the languages of briefs, as CLDR has them.

// These abbreviations of months are words of their own somewhere: mar is the sea in Spanish, jul is Christmas in Swedish.
const shortMonths = new Set(
  "jan feb febr févr ene abr apr avr ago aug août sep sept oct okt nov dec dez dic déc".split(" "),
)

/** Names of months, and the unmistakable abbreviations, with their number from 1. */
export function* monthWords(): Generator<[string, number]> {
  for (const language of languages) {
    const format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" })
    for (let month = 1; month <= 12; month++) {
      const name = format.format(new Date(Date.UTC(2001, month - 1, 15))).toLowerCase()
      yield [name, month]
      if (language === "fi") yield [`${name}ssa`, month]
      for (const short of [name.slice(0, 3), name.slice(0, 4)]) if (shortMonths.has(short)) yield [short, month]
    }
  }
}

/** Thousand and million, in words and as they are shortened. */
export function* numberScales(): Generator<[string, number]> {
  for (const factor of [1_000, 1_000_000]) {
    for (const language of languages) {
      for (const compactDisplay of ["long", "short"] as const) {
        const parts = new Intl.NumberFormat(language, { notation: "compact", compactDisplay }).formatToParts(2 * factor)
        const word = parts.find(({ type }) => type === "compact")?.value.replace(/\.$/, "")
        if (word !== undefined) yield [word, factor]
      }
    }
  }
  for (const cent of ["cent", "cents", "ct", "centime", "céntimo", "öre"]) yield [cent, 0.01]
  yield ["k", 1_000]
  yield ["tsd", 1_000]
  yield ["tkr", 1_000]
  yield ["million", 1_000_000]
}

/** Seconds and minutes, long and short, with how many seconds they have. */
export function* secondWords(): Generator<[string, number]> {
  for (const language of languages) {
    for (const unitDisplay of ["long", "short"] as const) {
      yield* unitWords("second", 1, language, unitDisplay)
      yield* unitWords("minute", 60, language, unitDisplay)
    }
  }
  yield ["secs", 1]
}

function* unitWords(
  unit: string,
  seconds: number,
  language: string,
  unitDisplay: "long" | "short",
): Generator<[string, number]> {
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay })
  for (const count of [1, 30]) {
    const word = format.formatToParts(count).find(({ type }) => type === "unit")?.value
    // One letter alone is too little for a minute: it is a million, or metres.
    if (word !== undefined && (word.length > 1 || seconds === 1)) yield [word.replace(/\.$/, "").toLowerCase(), seconds]
  }
}
