import { type Load, sendLoad } from "./load.ts"
import { processorSeconds } from "./processor-time.ts"
import type { RunningServer } from "./product.ts"

export interface Round {
  /** Microseconds of processor time for each request. */
  readonly micros: number
  readonly perSecond: number
}

/** Something that does the same work as something else. */
export interface Contender {
  readonly name: string
  readonly round: (seconds: number) => Promise<Round>
}

export interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly isSmallest: boolean
}

export interface Figure {
  readonly name: string
  readonly micros: Spread
  readonly perSecond: Spread
}

interface Spread {
  readonly lowest: number
  readonly median: number
  readonly highest: number
}

/** A server under load. What counts is the processor time of its own process, unless another count is given. */
export function serverContender(
  name: string,
  { url, pid }: RunningServer,
  { connections, requests }: Load,
  processorTime: () => number = () => processorSeconds(pid),
): Contender {
  let pass = 0
  return {
    name,
    async round(seconds) {
      const before = processorTime()
      const result = await sendLoad({ url, connections, seconds, requests: requests(++pass) })
      const used = processorTime() - before
      return { micros: (used * 1_000_000) / result.answered, perSecond: result.answered / result.seconds }
    },
  }
}

/** A program that works for so many seconds and prints its round as JSON. */
export function loopContender(name: string, command: readonly string[]): Contender {
  return {
    name,
    async round(seconds) {
      const child = Bun.spawn([process.execPath, ...command, String(seconds)], { stdout: "pipe", stderr: "inherit" })
      return JSON.parse(await new Response(child.stdout).text()) as Round
    },
  }
}

/** Lets the contenders take turns, so that whatever else the machine does meets all of them. The first round is for warming up. */
export async function alternate(contenders: readonly Contender[], { rounds, seconds }: Options): Promise<Figure[]> {
  const measured = contenders.map((): Round[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [i, contender] of contenders.entries()) {
      const result = await contender.round(seconds)
      if (round > 0) measured[i]?.push(result)
    }
  }
  return contenders.map(({ name }, i) => ({
    name,
    micros: spreadOf((measured[i] ?? []).map(({ micros }) => micros)),
    perSecond: spreadOf((measured[i] ?? []).map(({ perSecond }) => perSecond)),
  }))
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { lowest: at(0), median: at(0.5), highest: at(1) }
}

/** Each figure beside the first one. */
export function figureLines(figures: readonly Figure[]): string[] {
  const [first] = figures
  return figures.map(({ name, micros, perSecond }) => {
    const ratio =
      first === undefined || name === first.name
        ? ""
        : `, ${first.name} takes ${share(first.micros.median / micros.median)} times that`
    const range = `${Math.round(micros.lowest)} to ${Math.round(micros.highest)}`
    return `${name}: ${Math.round(micros.median)} µs a request (${range}), ${Math.round(perSecond.median)}/s${ratio}`
  })
}

const share = (ratio: number): string => ratio.toFixed(2)
