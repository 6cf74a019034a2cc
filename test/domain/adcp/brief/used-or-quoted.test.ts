import { expect, test } from "bun:test"
import fc from "fast-check"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"

// Briefs put together from what buyers write: wishes, refusals, conditions and amounts, in any order and with any sign between them. {} is a thing.
const parts = {
  en: {
    things: {
      podcasts: "podcast",
      radio: "radio",
      newsletters: "email",
      cinema: "cinema",
      posters: "ooh",
      influencers: "influencer",
    },
    refusals: [
      "no {}",
      "No {} please",
      "we don't want {}",
      "never {}",
      "avoid {}",
      "{} is out",
      "anything but {}",
      "{}? No thanks",
      "not {}",
      "we won't run {}",
      "forget {}",
      "nothing with {}",
      "excluded channels: {}",
      "{} didn't work for us",
      "we can't do {}",
    ],
    conditions: ["if it were up to my partner, everything on {}", "last year we ran {}", "our rival sponsors {}"],
    wishes: ["we want {}", "{} for young families", "ideally {}", "looking for {}"],
    amounts: [
      "budget {}",
      "our budget is {}",
      "{} per issue",
      "at least {}",
      "we have {}",
      "last year we spent {}",
      "CPM up to {}",
      "our rival spends {}",
      "{}",
    ],
  },
  de: {
    things: {
      Podcasts: "podcast",
      Radio: "radio",
      Newsletter: "email",
      Kino: "cinema",
      Plakate: "ooh",
      Influencer: "influencer",
    },
    refusals: [
      "kein {}",
      "bitte keine {}",
      "{} wollen wir nicht",
      "nie wieder {}",
      "{} kommt nicht in Frage",
      "alles außer {}",
      "{}? Nein danke",
      "nicht {}",
      "wir verzichten auf {}",
      "Ausgeschlossene Kanäle: {}",
      "{} hat nicht funktioniert",
      "Finger weg von {}",
    ],
    conditions: ["wenn es nach meinem Chef ginge, nur {}", "letztes Jahr hatten wir {}", "die Konkurrenz setzt auf {}"],
    wishes: ["wir suchen {}", "{} für junge Familien", "gern {}", "am liebsten {}"],
    amounts: [
      "Budget {}",
      "unser Etat beträgt {}",
      "{} pro Ausgabe",
      "mindestens {}",
      "wir haben {}",
      "TKP bis {}",
      "{}",
    ],
  },
  fr: {
    things: {
      podcasts: "podcast",
      "la radio": "radio",
      newsletters: "email",
      "le cinéma": "cinema",
      affiches: "ooh",
      "les influenceurs": "influencer",
    },
    refusals: [
      "pas de {}",
      "surtout pas {}",
      "nous ne voulons pas de {}",
      "jamais {}",
      "évitez {}",
      "{} exclus",
      "tout sauf {}",
      "{}, non merci",
      "exclus : {}",
      "{} n'a pas marché",
      "on oublie {}",
    ],
    conditions: [
      "si ça ne tenait qu'à mon associé, tout sur {}",
      "l'an dernier nous avions {}",
      "nos concurrents misent sur {}",
    ],
    wishes: ["nous cherchons {}", "{} pour les jeunes familles", "de préférence {}"],
    amounts: [
      "budget {}",
      "notre budget est de {}",
      "{} par numéro",
      "au moins {}",
      "nous avons {}",
      "CPM jusqu'à {}",
      "{}",
    ],
  },
  es: {
    things: {
      podcasts: "podcast",
      "la radio": "radio",
      boletines: "email",
      cine: "cinema",
      vallas: "ooh",
      influencers: "influencer",
    },
    refusals: [
      "sin {}",
      "nada de {}",
      "no queremos {}",
      "nunca {}",
      "evitar {}",
      "{} queda fuera",
      "todo menos {}",
      "{} no, gracias",
      "no admitidos: {}",
      "{} no funcionó",
      "mejor ni acercarse a {}",
      "prescindimos de {}",
    ],
    conditions: ["si fuera por mi socio, todo a {}", "el año pasado hicimos {}", "la competencia apuesta por {}"],
    wishes: ["buscamos {}", "{} para familias jóvenes", "preferiblemente {}"],
    amounts: [
      "presupuesto {}",
      "nuestro presupuesto es de {}",
      "{} por número",
      "al menos {}",
      "tenemos {}",
      "CPM hasta {}",
      "{}",
    ],
  },
} as const
type Kind = "refusals" | "conditions" | "wishes" | "amounts"

const money = fc.record({
  value: fc.integer({ min: 2, max: 99_999 }),
  written: fc.constantFrom("{} EUR", "€{}", "{} €", "{}", "{} dollars", "CHF {}", "{} euros"),
})
const piece = fc.record({
  kind: fc.constantFrom<Kind>("refusals", "conditions", "wishes", "amounts", "refusals"),
  which: fc.nat(),
  money,
  sign: fc.constantFrom(". ", ", ", "; ", "\n", " – ", "! ", ". "),
  isCapital: fc.boolean(),
})

test("every refusal and every amount of a brief is used or quoted, and nothing that is refused is understood", () => {
  let [refused, amounts] = [0, 0]
  fc.assert(
    fc.property(
      fc.constantFrom("en", "de", "fr", "es" as const),
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      (language, pieces) => {
        const own = parts[language as keyof typeof parts]
        const names = Object.entries(own.things)
        let brief = ""
        const [unwanted, sums]: [[string, string][], { text: string; value: number }[]] = [[], []]
        for (const [at, { kind, which, money: sum, sign, isCapital }] of pieces.entries()) {
          // Each thing once, so that what is said of it is said once.
          const [name, channel] = names[at] ?? ["", ""]
          const template = own[kind][which % own[kind].length] ?? ""
          const amount = sum.written.replace("{}", String(sum.value))
          const said = template.replace("{}", kind === "amounts" ? amount : name)
          brief += (isCapital ? said.slice(0, 1).toUpperCase() + said.slice(1) : said) + sign
          if (kind === "refusals" || kind === "conditions") unwanted.push([name, channel])
          if (kind === "amounts" && isAmount(template, sum)) sums.push({ text: String(sum.value), value: sum.value })
        }
        const reading = readBrief(brief)
        const quotes = reading.notInterpreted.join(" | ").toLowerCase()
        for (const [name, channel] of unwanted) {
          expect([brief, reading.channels]).not.toEqual([brief, expect.arrayContaining([channel])])
          expect([brief, reading.without.channels.includes(channel) || quotes.includes(name.toLowerCase())]).toEqual([
            brief,
            true,
          ])
          refused++
        }
        const used = [reading.budget?.most, reading.prices.cpm?.most]
        for (const { text, value } of sums) {
          expect([brief, used.includes(value) || quotes.includes(text)]).toEqual([brief, true])
          amounts++
        }
      },
    ),
    { numRuns: 3_000, seed: 51 },
  )
  expect([refused, amounts].every((count) => count > 1_000)).toBe(true)
})

/** Without a currency a number is an amount beside a word for one. */
const isAmount = (template: string, { written, value }: { written: string; value: number }) =>
  written !== "{}" ||
  (/^budget|^presupuesto|^our budget|^cpm|^tkp/i.test(template) &&
    value >= 100 &&
    !/^(?:19|20)\d\d$/.test(String(value)))

test("an amount without a currency is quoted", () => {
  for (const brief of ["Podcasts, budget 5,000", "Radio, 10k, KW 20", "CPM 12 max", "Presupuesto: 3.000"])
    expect(readBrief(brief)).toMatchObject({
      budget: undefined,
      prices: {},
      notInterpreted: [expect.stringMatching(/\d/)],
    })
  for (const brief of ["10K runners in Kent", "22,000 subscribers", "women 25-54", "in 2027, 30% off"])
    expect(readBrief(brief).notInterpreted).toEqual([])
})
