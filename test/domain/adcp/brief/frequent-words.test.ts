import { expect, setDefaultTimeout, test } from "bun:test"
import { frequentWords } from "../../../../scripts/frequent-words.ts"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"

setDefaultTimeout(600_000)

const carriers = {
  en: ["We are planning something about {} for the next season.", "we would like {} please, for all of our clients"],
  de: ["Wir planen für die nächste Saison etwas zu {}.", "wir hätten gern {} für alle unsere kunden"],
  fr: ["Nous préparons quelque chose sur {} pour la saison prochaine.", "nous aimerions {} pour tous nos clients"],
  es: ["Preparamos algo sobre {} para la próxima temporada.", "queremos {} para todos nuestros clientes"],
} as const
type Language = keyof typeof carriers
const languages = Object.keys(carriers) as Language[]

// Frequent words that are channels after all.
const channels = new Set(
  `email emails newsletter newsletters mailing video videos print magazine magazines tv television social audio radio display banner poster posters affiliate affiliates gaming cinema
  newspaper newspapers zeitung zeitungen journaux periódico periódicos fernsehen kino presse affiche télévision télé cinéma vidéo écrans televisión tele cine prensa revista`.split(
    /\s+/,
  ),
)

const fold = (text: string) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss")

/** Every name of a country that is one word, in the language or in English, and what else people call some. */
function countriesIn(language: Language): Set<string> {
  const codes = Array.from({ length: 676 }, (_, i) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26)))
  const names = [language, "en"].flatMap((each) => {
    const display = new Intl.DisplayNames(each, { type: "region", fallback: "none" })
    return codes.map((code) => display.of(code) ?? "")
  })
  return new Set(
    [
      ...names,
      "uk",
      "usa",
      "eeuu",
      "England",
      "Britain",
      "Angleterre",
      "Inglaterra",
      "Grande-Bretagne",
      "Etats-Unis",
    ].map(fold),
  )
}

test.each(languages)(
  "%s: none of the 5,000 most frequent words becomes a country, a channel or a price unless it is one",
  (language) => {
    const countries = countriesIn(language)
    const wrong: string[] = []
    for (const word of frequentWords(language)) {
      for (const carrier of carriers[language]) {
        const reading = readBrief(carrier.replace("{}", word))
        const isWord = fold(word).replace(/^l['’]/, "")
        if (reading.countries.length > 0 && !countries.has(isWord) && word !== "US")
          wrong.push(`${word}: ${reading.countries}`)
        if (reading.channels.length > 0 && !channels.has(word.toLowerCase())) wrong.push(`${word}: ${reading.channels}`)
        if (reading.budget ?? reading.prices.cpm ?? reading.prices.cpc) wrong.push(`${word}: an amount`)
      }
    }
    expect(wrong).toEqual([])
  },
)
