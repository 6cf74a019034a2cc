import { nameOfCountry } from "../../countries.ts"
import { amountText, numberText } from "../text.ts"
import type { Money } from "./reading/money.ts"
import type { Reading } from "./reading/read-brief.ts"
import { channelName } from "./words/channels.ts"

// What is said of a brief and of a product beside it: facts, in the same words everywhere.

const NAMES_MAX = 6

/** "DE and AT". */
export const codesText = (codes: readonly string[]): string => listText(codes, "and")

function listText(names: readonly string[], word: "and" | "or"): string {
  const shown = names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX), `${names.length - NAMES_MAX} more`] : names
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1)}`
}

/** How many products there are, and how many of them are on this page. */
export function countText(total: number, shown: number): string {
  if (shown < total) return `${numberText(total)} products, ${numberText(shown)} of them here.`
  return total === 1 ? "1 product." : `${numberText(total)} products.`
}

/** What was understood of a brief: facts without language, and what of it was not used. */
export function understoodFields({
  countries,
  channels,
  without,
  budget,
  prices,
  isGuaranteed,
  notInterpreted,
}: Reading) {
  const moneyOf = ({ most, currency }: Money) => ({ amount: most, currency })
  const [cpm, cpc] = [prices.cpm, prices.cpc]
  const refused = { ...listed("channels", without.channels), ...listed("countries", without.countries) }
  const understood = {
    ...listed("channels", channels),
    ...listed("countries", countries),
    ...(Object.keys(refused).length > 0 && { without: refused }),
    ...(budget && { budget: moneyOf(budget) }),
    ...((cpm || cpc) && { price_max: { ...(cpm && { cpm: moneyOf(cpm) }), ...(cpc && { cpc: moneyOf(cpc) }) } }),
    ...(isGuaranteed && { delivery_type: "guaranteed" }),
  }
  return {
    ...(Object.keys(understood).length > 0 && { understood }),
    ...listed("not_interpreted", notInterpreted),
  }
}

const listed = (name: string, values: readonly string[]) => (values.length > 0 ? { [name]: values } : {})

/** The same in sentences, each with a space before it. */
export function understoodText(reading: Reading): string {
  const { countries, channels, without, budget, prices, isGuaranteed, notInterpreted, isOther, isCut } = reading
  const upTo = (name: string, money: Money | undefined) =>
    money === undefined ? [] : [`${name} up to ${amountText(money.most, money.currency)}`]
  const refused = [...without.channels.map(channelName), ...without.countries]
  const parts = [
    ...channels.map(channelName),
    ...countries,
    ...(refused.length > 0 ? [`without ${listText(refused, "or")}`] : []),
    ...upTo("budget", budget),
    ...upTo("CPM", prices.cpm),
    ...upTo("CPC", prices.cpc),
    ...(isGuaranteed ? ["guaranteed delivery"] : []),
  ]
  return [
    parts.length > 0 ? ` Understood: ${parts.join(", ")}.` : "",
    notInterpreted.length > 0 ? ` Not interpreted: ${notInterpreted.map((quote) => `“${quote}”`).join(", ")}.` : "",
    isOther ? " Briefs are read in English, German, French and Spanish; of this one only the words were searched." : "",
    isCut ? " The brief is long: only its start was read." : "",
  ].join("")
}

/** By what no product fits the brief. */
export interface Misses {
  /** Beside those that are not wanted. */
  readonly count: number
  readonly refused: number
  /** No product is of the channels, or shown in the countries; or none is both. */
  readonly noChannel: boolean
  readonly noCountry: boolean
  readonly noBoth: boolean
  /** No product has a word or a subject of it. */
  readonly noWord: boolean
}

/** The first sentence where nothing fits; undefined where that is not certain. */
export function noneText(reading: Reading, misses: Misses): string | undefined {
  const channels = listText([...reading.channels, ...reading.named.channels].map(channelName), "or")
  const countries = `shown in ${listText(reading.countries.map(nameOfCountry), "or")}`
  const { count, refused, noChannel, noCountry, noBoth, noWord } = misses
  if (count === 0) return "None of the products is wanted."
  const other = refused > 0 ? "other " : ""
  const none = count === 1 ? `The only ${other}product is not` : `None of the ${numberText(count)} ${other}products is`
  if (noChannel && noCountry) return `${none} ${channels}, and none is ${countries}.`
  if (noChannel) return `${none} ${channels}.`
  if (noCountry) return `${none} ${countries}.`
  if (noBoth) return `${none} ${channels} and ${countries}.`
  if (!noWord) return undefined
  return count === 1
    ? `The only ${other}product has no word of the brief.`
    : `None of the ${numberText(count)} ${other}products has a word of the brief.`
}
