import { type Meaning, meaningOf } from "./phrases.ts"
import type { Token } from "./tokenize.ts"

// Names of countries that are words, names of people or parts of names of other things as well.
const doubtful = new Set(
  "turkey china chile cuba panama brazil guinea lebanon jordan georgia chad jersey polish".split(" "),
)

// What stands before a place.
const placeWords = new Set(
  "in im into inside within across throughout around near from to for of im aus nach fur en au aux dans pour vers para desde voor naar uit i fran til fra och market markets country countries territory geo".split(
    " ",
  ),
)
// After these, a name is that of the person who writes.
const closings = new Set(
  "thanks thank regards cheers best gruss grusse danke merci cordialement saludos gracias groeten bedankt halsningar hilsen".split(
    " ",
  ),
)
// What may follow a country: what a campaign runs on and costs there, and when.
const campaignKinds = new Set<Meaning["kind"]>(
  "channel feature money scale months delivery pricing bound countries negation".split(" ") as Meaning["kind"][],
)

/** Whether a word may be a country or another thing, and so is no slip of a third. */
export const isDoubtful = (word: string) => doubtful.has(word)

/**
 * Whether a word that can be a country is something else here. "Turkey recipes" and "guinea pigs" are about food and pets; "in Turkey",
 * "Turkey and Greece" and "Turkey podcasts" are about a country.
 */
export function isOtherThing(
  tokens: readonly Token[],
  place: number,
  meaningsAt: (place: number) => readonly Meaning[] | undefined,
): boolean {
  const token = tokens[place]
  if (token === undefined || !doubtful.has(token.word)) return false
  const before = tokens[place - 1]
  if (before !== undefined && !token.isAfterBreak && placeWords.has(before.word)) return false
  if (isListed(tokens, place, meaningsAt)) return false
  if (before !== undefined && token.isAfterBreak && closings.has(before.word)) return true
  // In small letters it is an ordinary word, unless it stands as a place does.
  if (/^\p{Ll}/u.test(token.raw)) return true
  const next = tokens[place + 1]
  if (next === undefined || next.isAfterBreak || !/^\p{L}/u.test(next.raw)) return false
  return meaningsAt(place + 1)?.some(({ kind }) => campaignKinds.has(kind)) !== true
}

const connectors = new Set("and und et y e en och og ja or oder ou o of + - – &".split(" "))

/** Whether another country stands beside it, with or without a word between them. */
function isListed(
  tokens: readonly Token[],
  place: number,
  meaningsAt: (place: number) => readonly Meaning[] | undefined,
): boolean {
  return ([-1, 1] as const).some((step) => {
    const beside = connectors.has(tokens[place + step]?.word ?? "") ? place + 2 * step : place + step
    const isApart = step === 1 ? tokens[place + 1]?.isAfterBreak : tokens[place]?.isAfterBreak
    const isTogether = beside !== place + step || isApart === true
    return isTogether && meaningOf(meaningsAt(beside), "countries") !== undefined
  })
}
