import type { Admission, RateWindow } from "../../../domain/callers/rate-limit.ts"
import { numberArray, textArray } from "../engine/arrays.ts"
import type { Value } from "../engine/session.ts"

export type Kind = "ingest" | "agent" | "caller"

export interface FoundKey {
  readonly id: string
  readonly organizationId: number | null
}

/** The key is null for whoever is counted without one. */
export interface Answer {
  readonly key: FoundKey | null
  readonly admission: Admission
}

export interface Waiting {
  /** The same for all requests of a caller for a window. */
  readonly id: string
  readonly kind: Kind
  readonly who: string
  readonly window: RateWindow
  /** By `performance.now()`. */
  readonly answerBy: number
  readonly rows: 1
  readonly resolve: (answer: Answer | null) => void
  readonly reject: (reason: unknown) => void
}

/** The requests of one caller for one window: they go in one row of a statement, and are admitted in their order. */
export type Together = [Waiting, ...Waiting[]]

/** Windows of the same name are counted apart by kind. */
export function rowName(kind: Kind, { name }: RateWindow): string {
  return `${kind} ${name}`
}

/** Of those who wait, the requests of each window, and who is left: whoever names another limit for it, as a row is written only once. */
export function takeBatch(waiting: readonly Waiting[]): { batch: Together[]; left: Waiting[] } {
  const batch = new Map<string, Together>()
  const left: Waiting[] = []
  for (const request of waiting) {
    const together = batch.get(request.id)
    if (together === undefined) batch.set(request.id, [request])
    else if (together[0].window.limit === request.window.limit) together.push(request)
    else left.push(request)
  }
  return { batch: [...batch.values()], left }
}

/** What the statement is given of a batch: its first five values. */
export function columnsOf(batch: readonly Together[]): Value[] {
  return [
    textArray(batch.map(([{ kind }]) => kind)),
    textArray(batch.map(([{ who }]) => who)),
    textArray(batch.map(([{ window }]) => window.name)),
    numberArray(batch.map(([{ window }]) => window.limit)),
    numberArray(batch.map(({ length, 0: { window } }) => Math.min(length, window.limit))),
  ]
}
