/** Something that is done with n of what a caller chooses. */
export type Work = (n: number) => unknown

// What takes no longer with the most that a caller can send keeps nobody waiting.
const CHEAP_MS = 40
// What takes so long is judged by what it took; four times as many would only make the tests slow.
const DEAR_MS = 400
// Twice as many may take this many times as long. In proportion it is twice, with the square four times.
const DOUBLING_MAX = 3
const TRIES = 5
const FIRST_PART = 4

/** The processor time in milliseconds, whatever else runs on the machine. */
async function costOf(work: Work, n: number): Promise<number> {
  const before = process.cpuUsage()
  await work(n)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Null when the cost grows in proportion to n, up to `most`; otherwise the figures that say it does not. */
export async function growthOf(work: Work, most: number): Promise<string | null> {
  for (let n = Math.ceil(most / FIRST_PART); ; n = Math.min(n * 4, most)) {
    const { figures, cost } = (await costOf(work, n)) < CHEAP_MS ? CHEAP : await judged(work, n)
    if (figures !== null || n === most || cost > DEAR_MS) return figures
  }
}

interface Verdict {
  readonly figures: string | null
  readonly cost: number
}

const CHEAP: Verdict = { figures: null, cost: 0 }

/** A quarter, a half and all of it, the best of several: garbage collection and compilation only ever add. */
async function judged(work: Work, all: number): Promise<Verdict> {
  const sizes = [all / 4, all / 2, all].map(Math.ceil)
  const best = sizes.map(() => Number.POSITIVE_INFINITY)
  for (let tried = 0; tried < TRIES; tried++) {
    for (const [i, n] of sizes.entries()) best[i] = Math.min(best[i] ?? 0, await costOf(work, n))
    const [quarter = 0, half = 0, cost = 0] = best
    const isInProportion = cost < DOUBLING_MAX * half || cost < DOUBLING_MAX ** 2 * quarter
    if (cost < CHEAP_MS || isInProportion) return { figures: null, cost }
  }
  return { figures: sizes.map((n, i) => `${n}: ${best[i]?.toFixed(0)} ms`).join(", "), cost: best.at(-1) ?? 0 }
}
