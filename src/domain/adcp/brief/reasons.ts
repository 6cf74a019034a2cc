import { memoize } from "../../memoize.ts"
import { channelIn, factsIn, placeIn } from "./reason-words.ts"
import type { Language } from "./words/grammar.ts"

const PLACES_SHOWN_MAX = 4
const WORDS_SHOWN_MAX = 8
const NAMES_REMEMBERED_MAX = 1_000

/** In the language of the brief. Each is made once. */
export const reasonsIn = memoize(20, makeReasons)

export type Reasons = ReturnType<typeof makeReasons>

function makeReasons(language: Language) {
  const facts = factsIn(language)
  const channel = channelIn(language)
  const months = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" })
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 3 })
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" })
  // To ask for one of these takes longer than all else that is done with it.
  const number = memoize(NAMES_REMEMBERED_MAX, (amount: number) => numbers.format(amount))
  const place = memoize(NAMES_REMEMBERED_MAX, (code: string) => placeIn(language, code, names.of(code) ?? code))

  const templates = memoize(NAMES_REMEMBERED_MAX, (fact: string) => (facts[fact] ?? fact).split(/[{}]/))

  // The parts between brackets are numbers of gaps.
  /** A fact about the product, with what belongs in its gaps. */
  const tell = (fact: string, ...gaps: readonly string[]) => {
    const parts = templates(fact)
    let text = parts[0] ?? ""
    for (let at = 1; at < parts.length; at += 2) text += `${gaps[Number(parts[at])]}${parts[at + 1]}`
    return text
  }
  const joined = (all: readonly string[], word: string) => {
    let text = all[0] ?? ""
    for (let at = 1; at < all.length; at++) text += at === all.length - 1 ? ` ${word} ${all[at]}` : `, ${all[at]}`
    return text
  }
  const and = (all: readonly string[]) => joined(all, facts["and"] ?? "")
  const or = (all: readonly string[]) => joined(all, facts["or"] ?? "")
  const shortened = (all: readonly string[], most: number) =>
    all.length > most ? tell("more", all.slice(0, most).join(", "), String(all.length - most)) : and(all)
  const channels = (all: readonly string[]) => or(all.map(channel))
  const quoted = (all: readonly string[]) =>
    shortened(
      all.map((word) => `${facts["openQuote"]}${word}${facts["closeQuote"]}`),
      WORDS_SHOWN_MAX,
    )
  const said = (subject: string, all: readonly string[]) => `${tell(subject, and(all))}.`

  return {
    tell,
    and,
    or,
    quoted,
    /** That the product is one of some channels. */
    is: (all: readonly string[]) => tell("is", channels(all)),
    isOther: (own: readonly string[], theirs: readonly string[]) =>
      own.length === 0 ? tell("noChannel", channels(theirs)) : tell("isNot", channels(own), channels(theirs)),
    places: (codes: readonly string[]) => shortened(codes.map(place), PLACES_SHOWN_MAX),
    amount: (amount: number, currency: string) => `${number(amount)} ${currency}`,
    month: (month: string) => months.format(new Date(`${month}-15`)),
    /** What fits, and then what does not; empty where there is nothing to say. */
    sentence(fitting: readonly string[], missing: readonly string[]): string {
      if (fitting.length === 0) return missing.length === 0 ? "" : said("it", missing)
      return missing.length === 0 ? said("it", fitting) : `${said("it", fitting)} ${said("but", missing)}`
    },
  }
}
