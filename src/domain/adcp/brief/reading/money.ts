import { meaningOf } from "../words/phrases.ts"
import type { Span } from "../words/spans.ts"

let codes: ReadonlySet<string> | undefined

/** The currencies that a word, a sign or a code of a brief can mean, narrowed by the countries that it names. */
export function codesOfMoney(span: Span | undefined, countries: readonly string[]): readonly string[] | undefined {
  const money = meaningOf(span?.meanings, "money")
  const raw = span?.tokens[0]?.raw ?? ""
  // "30 sek" are seconds, "300 SEK" are not.
  if (money !== undefined && raw === "sek" && meaningOf(span?.meanings, "seconds")) return undefined
  if (money !== undefined) return narrow(money.currencies, countries)
  if (!/^[A-Z]{3}$/.test(raw)) return undefined
  codes ??= new Set(Intl.supportedValuesOf("currency"))
  return codes.has(raw) ? [raw] : undefined
}

/** The code of a currency begins with that of its country. */
function narrow(currencies: readonly string[], countries: readonly string[]): readonly string[] {
  const local = currencies.filter((code) => countries.includes(code.slice(0, 2)))
  if (local.length > 0) return local
  // A dollar is one of the United States unless something else is said; a krone is any of them.
  return currencies[0] === "USD" ? ["USD"] : currencies
}
