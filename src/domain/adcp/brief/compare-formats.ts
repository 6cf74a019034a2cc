import type { Assessment } from "./assessment.ts"
import { points } from "./points.ts"
import type { Reading } from "./reading/read-brief.ts"
import type { SubsetTexts } from "./subset-texts.ts"
import type { Terms } from "./traits.ts"

/** Kinds of placements, lengths and sizes that a brief asks for, beside those that the product takes. */
export function compareFormats(terms: Terms, reading: Reading, texts: SubsetTexts, assessment: Assessment): void {
  if (reading.features.length > 0) compareFeatures(terms, reading, texts, assessment)
  if (reading.seconds.length > 0 && terms.lengths.length > 0) compareLengths(terms, reading, assessment)
  if (reading.pixels.length > 0 && terms.pixels.size > 0) comparePixels(terms, reading, assessment)
}

function compareFeatures({ features }: Terms, reading: Reading, texts: SubsetTexts, assessment: Assessment): void {
  let count = 0
  let shared = 0
  let bit = 1
  for (const feature of reading.features) {
    if (features.has(feature)) {
      count++
      shared += bit
    }
    bit *= 2
  }
  if (count === 0) return
  if (assessment.add(Math.min(points.features, points.feature * count), true)) assessment.say(texts(shared))
}

function compareLengths({ lengths }: Terms, { seconds }: Reading, assessment: Assessment): void {
  const taken = seconds.filter((asked) => lengths.some(([least, most]) => asked >= least && asked <= most))
  const fits = taken.length > 0
  if (!assessment.add(fits ? points.length : points.otherLength, fits)) return
  const offered = [...new Set(lengths.map(lengthText))].join(" or ")
  assessment.say(fits ? `takes ${taken.join(" or ")} seconds` : `takes ${offered}, not ${seconds.join(" or ")} seconds`)
}

function lengthText([least, most]: readonly [number, number]): string {
  return least === most ? `${most} seconds` : `up to ${most} seconds`
}

function comparePixels({ pixels }: Terms, reading: Reading, assessment: Assessment): void {
  const taken = reading.pixels.filter((size) => pixels.has(size))
  const fits = taken.length > 0
  if (!assessment.add(fits ? points.size : points.otherSize, fits)) return
  assessment.say(fits ? `takes ${taken.join(", ")}` : `does not take ${reading.pixels.join(", ")}`)
}
