import da from "i18n-iso-countries/langs/da.json" with { type: "text" }
import de from "i18n-iso-countries/langs/de.json" with { type: "text" }
import en from "i18n-iso-countries/langs/en.json" with { type: "text" }
import es from "i18n-iso-countries/langs/es.json" with { type: "text" }
import fi from "i18n-iso-countries/langs/fi.json" with { type: "text" }
import fr from "i18n-iso-countries/langs/fr.json" with { type: "text" }
import nl from "i18n-iso-countries/langs/nl.json" with { type: "text" }
import no from "i18n-iso-countries/langs/no.json" with { type: "text" }
import sv from "i18n-iso-countries/langs/sv.json" with { type: "text" }
import deAdjectives from "i18n-nationality/langs/de.json" with { type: "text" }
import enAdjectives from "i18n-nationality/langs/en.json" with { type: "text" }
import esAdjectives from "i18n-nationality/langs/es.json" with { type: "text" }
import fiAdjectives from "i18n-nationality/langs/fi.json" with { type: "text" }
import frAdjectives from "i18n-nationality/langs/fr.json" with { type: "text" }
import nlAdjectives from "i18n-nationality/langs/nl.json" with { type: "text" }
import noAdjectives from "i18n-nationality/langs/no.json" with { type: "text" }
import { fold } from "./fold.ts"

const names = [en, de, fr, es, nl, sv, da, no, fi]
const adjectives = [enAdjectives, deAdjectives, frAdjectives, esAdjectives, nlAdjectives, noAdjectives, fiAdjectives]

// Shorter ones are words of some language too; those that count are in the lexicon.
const ADJECTIVE_CHARACTERS_MIN = 5
const NAME_CHARACTERS_MIN = 4
const notCountries = new Set(["man", "isle of man"])

/** Every country by name and by adjective in the languages of briefs: words in lower case without accents, with the ISO code. Made step by step. */
export function* countryWords(): Generator<void, Map<string, string>> {
  const words = new Map<string, string>()
  for (const text of names) yield collect(words, text, "countries", NAME_CHARACTERS_MIN)
  for (const text of adjectives) yield collect(words, text, "nationalities", ADJECTIVE_CHARACTERS_MIN)
  for (const word of notCountries) words.delete(word)
  return words
}

// Some entries hold several forms, or say in brackets what they mean.
const SEVERAL = /[,/()]| - /

function collect(words: Map<string, string>, text: unknown, field: string, least: number): void {
  const entries = JSON.parse(String(text))[field] as Record<string, string | string[]>
  for (const code in entries) {
    const given = entries[code] ?? ""
    for (const name of typeof given === "string" ? [given] : given) {
      for (const part of SEVERAL.test(name) ? name.split(SEVERAL) : [name]) {
        const word = fold(part.trim()).replaceAll("-", " ")
        if (word.length >= least && !words.has(word)) words.set(word, code)
      }
    }
  }
}
