// Names of months, of large numbers and of seconds and minutes in the languages of briefs, as CLDR has them.

const LANGUAGES = ["en", "de", "fr", "es", "nl", "sv", "da", "nb", "fi"]
// These abbreviations of months are words of their own somewhere: mar is the sea in Spanish, jul is Christmas in Swedish.
const shortMonths = new Set(
  "jan feb febr févr ene abr apr avr ago aug août sep sept oct okt nov dec dez dic déc".split(" "),
)

/** Names of months, and the unmistakable abbreviations, with their number from 1. */
export function* monthWords(): Generator<[string, number]> {
  for (const language of LANGUAGES) {
    const long = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" })
    const short = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" })
    for (let month = 0; month < 12; month++) {
      const day = new Date(Date.UTC(2001, month, 15))
      yield [long.format(day), month + 1]
      if (language === "fi") yield [`${long.format(day)}ssa`, month + 1]
      const name = short.format(day).replace(/\.$/, "").toLowerCase()
      if (shortMonths.has(name)) yield [name, month + 1]
    }
  }
}

/** Thousand and million, in words and as they are shortened. */
export function* numberScales(): Generator<[string, number]> {
  for (const factor of [1_000, 1_000_000]) {
    for (const language of LANGUAGES) {
      for (const compactDisplay of ["long", "short"] as const) {
        const parts = new Intl.NumberFormat(language, { notation: "compact", compactDisplay }).formatToParts(2 * factor)
        const word = parts.find(({ type }) => type === "compact")?.value.replace(/\.$/, "")
        if (word !== undefined) yield [word, factor]
      }
    }
  }
  yield ["k", 1_000]
  yield ["tsd", 1_000]
  yield ["tkr", 1_000]
  yield ["million", 1_000_000]
}

/** Seconds and minutes, long and short, with how many seconds they have. */
export function* secondWords(): Generator<[string, number]> {
  for (const [unit, seconds] of [
    ["second", 1],
    ["minute", 60],
  ] as const) {
    for (const language of LANGUAGES) {
      for (const unitDisplay of ["long", "short", "narrow"] as const) {
        for (const count of [1, 30]) {
          const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay })
          const word = format
            .formatToParts(count)
            .find(({ type }) => type === "unit")
            ?.value.replace(/\.$/, "")
          // One letter alone is too little for a minute: it is a million, or metres.
          if (word !== undefined && (word.length > 1 || unit === "second")) yield [word.toLowerCase(), seconds]
        }
      }
    }
  }
  yield ["secs", 1]
}
