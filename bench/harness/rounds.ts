import type { Options } from "./options.ts"
import type { Contender, Figure } from "./scenario.ts"
import { spreadOf } from "./statistics.ts"

const WARM_UP_SECONDS = 0.5

/** Lets the contenders work one after the other, round after round, so that a slow moment of the machine meets all of them. */
export async function interleave(contenders: readonly Contender[], options: Options): Promise<Figure[]> {
  const rates = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]))
  for (const contender of contenders) await contender.measure(WARM_UP_SECONDS)
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [contender, measured] of rates) measured.push(await contender.measure(options.secondsPerRound))
  }
  return [...rates].map(([contender, measured]) => ({ contender: contender.name, spread: spreadOf(measured) }))
}
