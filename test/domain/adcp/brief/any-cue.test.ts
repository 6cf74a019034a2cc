import { expect, test } from "bun:test"
import fc from "fast-check"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"
import { type Language, languages, words } from "../../../../src/domain/adcp/brief/words/languages.ts"

// Briefs made of the words that the reader has lists of, in any order: whatever stands in a clause with a word of refusal, of a condition, of what
// was or of others is refused or quoted, and never understood.

// Says which language it is, and names nothing.
const carriers = {
  en: "We are a small shop, and this is what our friends have to say about us.",
  de: "Wir sind ein kleiner Laden, und das ist es, was unsere Kunden an uns mögen.",
  fr: "Nous sommes une petite boutique, et voici ce que nos clients pensent de nous.",
  es: "Somos una tienda pequeña, y esto es lo que nuestros clientes dicen de nosotros.",
} as const satisfies Record<Language, string>

/** One way to write a phrase of a list: "a|b c" and "evit*" have several. */
const written = (phrase: string, nth: number) =>
  phrase
    .trim()
    .split(/\s+/)
    .map((part) => {
      const ways = part.split("|")
      return (ways[nth % ways.length] ?? "").replace("*", "")
    })
    .join(" ")

const CUES = "nNXHASTU"
function cuesOf(language: Language): string[] {
  const { phrases, ownPhrases } = words[language]
  return Array.from(CUES).flatMap((letter) => [
    ...(phrases[letter]?.split(",") ?? []),
    ...(ownPhrases[letter]?.split(",") ?? []),
  ])
}

/** Names of one channel each. "Ooh" is also said by people. */
const channelsOf = (language: Language) =>
  `${words.en.channels}\n${words[language].channels}`.split("\n").flatMap((row) => {
    const [channels = "", names = ""] = row.trim().split(": ")
    return channels.includes(" ")
      ? []
      : names.split(", ").flatMap((name) => (name === "ooh" ? [] : [[channels, written(name, 0)] as const]))
  })

const unknown = fc.constantFrom("zorbly", "mintel", "quibbed", "Vexora", "thurl")
const gap = fc.constantFrom(" ", " ", " ", " zorbly ", " mintel thurl ")

const piece = fc.record({
  language: fc.constantFrom(...languages),
  cue: fc.nat(),
  way: fc.nat(),
  channel: fc.nat(),
  gap,
  isBefore: fc.boolean(),
  start: fc.constantFrom("", "zorbly ", "- ", "Vexora: ", "(", "* "),
  end: fc.constantFrom(".", "!", ";", "", "?", ")", " zorbly.", "\n"),
})

const isTold = (name: string, channel: string, { without, notInterpreted }: ReturnType<typeof readBrief>) =>
  without.channels.includes(channel) || notInterpreted.join(" ").toLowerCase().includes(name.toLowerCase())

test("a channel in a clause with any cue is refused or quoted, never understood", () => {
  fc.assert(
    fc.property(piece, ({ language, cue, way, channel, gap: between, isBefore, start, end }) => {
      const cues = cuesOf(language)
      const channels = channelsOf(language)
      const phrase = cues[cue % cues.length] ?? ""
      const said = written(phrase, way)
      const [id, name] = channels[channel % channels.length] ?? ["", ""]
      // "Podcasts without", "podcasts instead of": what comes before is not meant by these.
      const isLast = words[language].phrases["X"]?.split(",").includes(phrase)
      const clause = isBefore || isLast ? `${said}${between}${name}` : `${name}${between}${said}`
      const brief = `${carriers[language]}\n${start}${clause}${end}\n`
      const reading = readBrief(brief)
      expect([brief, reading.channels]).toEqual([brief, []])
      expect([brief, isTold(name, id, reading)]).toEqual([brief, true])
    }),
    { numRuns: 6_000, seed: 51 },
  )
})

test("beside a word that is not known a channel is not understood, unless a wish is said", () => {
  fc.assert(
    fc.property(piece, unknown, ({ language, channel, isBefore, end }, word) => {
      const channels = channelsOf(language)
      const [id, name] = channels[channel % channels.length] ?? ["", ""]
      const brief = `${carriers[language]} ${isBefore ? `${word} ${name}` : `${name} ${word}`}${end}\n`
      const reading = readBrief(brief)
      expect([brief, reading.channels]).toEqual([brief, []])
      expect([brief, isTold(name, id, reading)]).toEqual([brief, true])
    }),
    { numRuns: 1_000, seed: 51 },
  )
})

test("every amount is used or quoted, whatever stands beside it", () => {
  const amount = fc.record({
    language: fc.constantFrom(...languages),
    value: fc.integer({ min: 2, max: 99_999 }),
    written: fc.constantFrom("{} EUR", "€{}", "{} €", "{} dollars", "CHF {}", "{} euros", "£{}", "{}k EUR"),
    cue: fc.nat(),
    way: fc.nat(),
    start: fc.constantFrom("", "zorbly ", "Vexora: ", "(", "- ", "radio, ", "for podcasts "),
    end: fc.constantFrom(".", "!", ";", "", " zorbly.", ")", " radio", "\n"),
    hasCue: fc.boolean(),
  })
  fc.assert(
    fc.property(amount, ({ language, value, written: form, cue, way, start, end, hasCue }) => {
      const cues = cuesOf(language)
      const said = hasCue ? `${written(cues[cue % cues.length] ?? "", way)} ` : ""
      const brief = `${carriers[language]}\n${start}${said}${form.replace("{}", String(value))}${end}\n`
      const { budget, prices, notInterpreted } = readBrief(brief)
      const used = [budget?.most, prices.cpm?.most, prices.cpc?.most].some(
        (most) => most === value || most === value * 1_000,
      )
      expect([brief, used || notInterpreted.join(" ").includes(String(value))]).toEqual([brief, true])
    }),
    { numRuns: 4_000, seed: 51 },
  )
})
