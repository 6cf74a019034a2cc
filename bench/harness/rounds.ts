import type { Options } from "./options.ts"
import type { Contender, Figure, Round } from "./scenario.ts"
import { spreadOf } from "./statistics.ts"

/** Lets the contenders work one after the other, round after round, so that a slow moment of the machine meets all of them. */
export async function interleave(contenders: readonly Contender[], options: Options): Promise<Figure[]> {
  const rounds = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]))
  const { secondsPerRound } = options
  // The first round is only for warming up.
  for (const contender of contenders) await contender.measure(secondsPerRound)
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [contender, measured] of rounds) measured.push(await contender.measure(secondsPerRound))
  }
  return [...rounds].map(([{ name }, measured]) => ({
    contender: name,
    spread: spreadOf(measured.map(({ perSecond }) => perSecond)),
    micros: spreadOf(measured.map(({ micros }) => micros)),
  }))
}
