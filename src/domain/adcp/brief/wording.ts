import { memoize } from "../../memoize.ts"
import type { Money } from "./reading/money.ts"
import { isWhole, type Reading } from "./reading/read-brief.ts"
import { reasonsIn } from "./reasons.ts"
import { type Language, languages } from "./words/languages.ts"

/** How many products there are, and how many of them are on this page. */
export function countText(total: number, shown: number, language?: Language): string {
  const { say } = reasonsIn(language)
  if (shown < total) return say("part", String(total), String(shown))
  return total === 1 ? say("one") : say("many", String(total))
}

export const orderText = (language?: Language): string => reasonsIn(language).say("order")

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
  const { say, quoted } = reasonsIn(reading.language)
  const fields: Record<string, unknown> = {}
  const parts: string[] = []
  const told = (name: string, value: unknown, text: string) => {
    fields[name] = value
    parts.push(text)
  }
  tellThings(reading, told)
  tellNumbers(reading, told)
  if (reading.unsure.length > 0) fields["not_interpreted"] = reading.unsure
  // Of a brief that asks for nothing, or for what nobody knows, it is not certain.
  const isAsked =
    reading.terms.some((term) => term.isSure) || Object.keys(fields).some((name) => !name.startsWith("unwanted"))
  const isSure = isAsked && reading.unsure.length === 0 && !reading.isOther
  const sentences = [
    isNone && isSure ? say("none") : "",
    parts.length > 0 ? say("understood", parts.join("; ")) : "",
    reading.unsure.length > 0 ? say("unsure", quoted(reading.unsure)) : "",
    reading.isOther ? say("other") : "",
    reading.isCut ? say("cut") : "",
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

function tellThings({ channels, countries, unwanted, isGuaranteed, language }: Reading, tell: Tell): void {
  const { say, channels: channelsText, countries: countriesText, quoted } = reasonsIn(language)
  if (channels.length > 0) tell("channels", channels, channelsText(channels))
  if (countries.length > 0) tell("countries", countries, countriesText(countries))
  if (isGuaranteed) tell("delivery_type", "guaranteed", say("guaranteed"))
  if (unwanted.length === 0) return
  for (const [name, textOf] of [["channels", channelsText] as const, ["countries", countriesText] as const]) {
    const values = [...new Set(unwanted.filter(isWhole).flatMap((each) => each[name]))]
    if (values.length > 0) tell(`unwanted_${name}`, values, say("not", textOf(values)))
  }
  const others = [...new Set(unwanted.filter((each) => !isWhole(each)).map(({ text }) => text))]
  if (others.length > 0) tell("unwanted_words", others, say("not", quoted(others)))
}

function tellNumbers({ budget, prices, period, seconds, language }: Reading, tell: Tell): void {
  const { say, amount } = reasonsIn(language)
  const fieldsOf = ({ most, currency }: Money) => ({ max: most, currencies: [currency] })
  const upTo = ({ most, currency }: Money) => say("upTo", amount(most, currency))
  if (budget !== undefined) tell("budget", fieldsOf(budget), upTo(budget))
  for (const model of ["cpm", "cpc"] as const) {
    const money = prices[model]
    const name = model === "cpm" && language === "de" ? "TKP" : model.toUpperCase()
    if (money !== undefined) tell(model, fieldsOf(money), `${name} ${upTo(money)}`)
  }
  if (period !== undefined) {
    const months = [...new Set([period.from, period.to])].map((month) => monthText(month, language))
    tell("period", period, months.join(" – "))
  }
  if (seconds.length > 0) tell("durations_seconds", seconds, say("seconds", seconds.join(", ")))
}
