import type { randomNumbers } from "../../test/harness/data/random.ts"

export type Random = ReturnType<typeof randomNumbers>

/** One kind of harm, and what must hold nevertheless. */
export interface Part {
  readonly name: string
  readonly promise: string
  /** What this machine must have for it. */
  readonly needs?: "strace" | "postgres" | "pgbouncer"
  /** Does the harm, and returns what came out of it in a few figures. */
  readonly run: (trial: Trial) => Promise<string>
}

export interface Trial {
  /** A folder of its own, which is deleted afterwards. */
  readonly folder: string
  readonly isShort: boolean
  readonly random: Random
  /** Notes a broken promise. */
  readonly problem: (text: string) => void
  /** Notes something that took too long. It breaks the promise in a long run only, because a short one may share its machine. */
  readonly late: (text: string) => void
}

export const grouped = (count: number): string => count.toLocaleString("en")
export const rounded = (ms: number): string => `${Math.round(ms)} ms`
