import { memoize } from "../../memoize.ts"
import type { Money } from "./reading/money.ts"
import type { Reading, Unwanted } from "./reading/read-brief.ts"
import { reasonsIn } from "./reasons.ts"
import { type Language, languages } from "./words/languages.ts"

// What a message says of a brief, in its language. {0} and {1} are gaps.
const rows: Readonly<Record<Language, string>> = {
  en: "one=1 product. | many={0} products. | part={0} products, {1} of them here. | none=None of them matches the brief. | understood=Understood: {0}. | not=not {0} | upTo=up to {0} | unsure=Not interpreted: {0}. | cut=The brief is long: only its start was read. | other=Briefs are read in English, German, French and Spanish; of this one only the words were searched. | seconds={0} seconds | order=To order, open the product's order link.",
  de: "one=1 Produkt. | many={0} Produkte. | part={0} Produkte, davon hier {1}. | none=Keines davon passt zum Briefing. | understood=Verstanden: {0}. | not=nicht {0} | upTo=bis {0} | unsure=Nicht gedeutet: {0}. | cut=Das Briefing ist lang: Nur sein Anfang wurde gelesen. | seconds={0} Sekunden | order=Zum Bestellen den Bestelllink des Produkts öffnen.",
  fr: "one=1 produit. | many={0} produits. | part={0} produits, dont {1} ici. | none=Aucun ne correspond au brief. | understood=Compris : {0}. | not=pas {0} | upTo=jusqu'à {0} | unsure=Non interprété : {0}. | cut=Le brief est long : seul le début a été lu. | seconds={0} secondes | order=Pour commander, ouvrez le lien de commande du produit.",
  es: "one=1 producto. | many={0} productos. | part={0} productos, {1} de ellos aquí. | none=Ninguno se ajusta al briefing. | understood=Entendido: {0}. | not=no {0} | upTo=hasta {0} | unsure=No interpretado: {0}. | cut=El briefing es largo: solo se ha leído el principio. | seconds={0} segundos | order=Para pedir, abra el enlace de pedido del producto.",
}
const texts: Partial<Record<Language, ReadonlyMap<string, string>>> = {}

function say(language: Language | undefined, name: string, ...parts: readonly string[]): string {
  const own = language ?? "en"
  texts[own] ??= new Map(rows[own].split(" | ").map((row) => row.split(/=(.*)/s) as [string, string]))
  return (texts[own]?.get(name) ?? "").replace(/\{(\d)\}/g, (_, nth: string) => parts[Number(nth)] ?? "")
}

/** How many products there are, and how many of them are on this page. */
export function countText(total: number, shown: number, language?: Language): string {
  if (shown < total) return say(language, "part", String(total), String(shown))
  return total === 1 ? say(language, "one") : say(language, "many", String(total))
}

export const orderText = (language?: Language): string => say(language, "order")

// Made once: it takes longer than all else that is done for a brief.
const monthNames = memoize(
  languages.length,
  (language: Language) => new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }),
)

/** March 2027 for 2027-03. */
export const monthText = (month: string, language: Language = "en"): string =>
  monthNames(language).format(new Date(`${month}-01T00:00:00Z`))

/** What was understood of a brief, for people in sentences, each with a space before it, and for programs. */
export function understood(reading: Reading, isNone: boolean) {
  const { language } = reading
  const fields: Record<string, unknown> = {}
  const parts: string[] = []
  const told = (name: string, value: unknown, text: string) => {
    fields[name] = value
    parts.push(text)
  }
  tellThings(reading, told)
  tellNumbers(reading, told)
  const quoted = (quotes: readonly string[]) => reasonsIn(language).quoted(quotes)
  if (reading.unsure.length > 0) fields["not_interpreted"] = reading.unsure
  const sentences = [
    isNone ? say(language, "none") : "",
    parts.length > 0 ? say(language, "understood", parts.join("; ")) : "",
    reading.unsure.length > 0 ? say(language, "unsure", quoted(reading.unsure)) : "",
    reading.isOther ? say("en", "other") : "",
    reading.isCut ? say(language, "cut") : "",
  ]
  return {
    note: sentences
      .filter(Boolean)
      .map((sentence) => ` ${sentence}`)
      .join(""),
    fields,
  }
}

type Tell = (name: string, value: unknown, text: string) => void

function tellThings({ channels, countries, unwanted, language }: Reading, tell: Tell): void {
  const { channels: channelsText, countries: countriesText, quoted } = reasonsIn(language)
  if (channels.length > 0) tell("channels", channels, channelsText(channels))
  if (countries.length > 0) tell("countries", countries, countriesText(countries))
  if (unwanted.length === 0) return
  const isPlain = (each: Unwanted) => each.terms.length === 0 && !each.isFormat
  const plain = {
    channels: [...new Set(unwanted.filter(isPlain).flatMap((each) => each.channels))],
    countries: unwanted.filter(isPlain).flatMap((each) => each.countries),
  }
  if (plain.channels.length > 0)
    tell("unwanted_channels", plain.channels, say(language, "not", channelsText(plain.channels)))
  if (plain.countries.length > 0)
    tell("unwanted_countries", plain.countries, say(language, "not", countriesText(plain.countries)))
  const others = unwanted.filter((each) => !isPlain(each)).map(({ text }) => text)
  if (others.length > 0) tell("unwanted_words", others, say(language, "not", quoted(others)))
}

function tellNumbers({ budget, prices, period, seconds, language }: Reading, tell: Tell): void {
  const { amount } = reasonsIn(language)
  const fieldsOf = ({ most, currency }: Money) => ({ max: most, currencies: [currency] })
  const upTo = ({ most, currency }: Money) => say(language, "upTo", amount(most, currency))
  if (budget !== undefined) tell("budget", fieldsOf(budget), upTo(budget))
  for (const model of ["cpm", "cpc"] as const) {
    const money = prices[model]
    if (money !== undefined)
      tell(
        model,
        fieldsOf(money),
        `${model === "cpm" && language === "de" ? "TKP" : model.toUpperCase()} ${upTo(money)}`,
      )
  }
  if (period !== undefined) {
    const months = [...new Set([period.from, period.to])].map((month) => monthText(month, language))
    tell("period", period, months.join(" – "))
  }
  if (seconds.length > 0) tell("durations_seconds", seconds, say(language, "seconds", seconds.join(", ")))
}
