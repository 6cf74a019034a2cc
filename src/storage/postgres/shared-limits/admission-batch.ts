import type { Admission, RateWindow } from "../../../domain/callers/rate-limit.ts"
import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { numberArray, textArray } from "../engine/arrays.ts"
import type { Value } from "../engine/session.ts"
import { type AdmitRow, type KeysRow, WINDOW_MICROS } from "./admission-sql.ts"

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

/** The window of one caller, after its requests were admitted or not. */
interface Counted {
  readonly key: FoundKey | null
  readonly count: number
  readonly admitted: number
  readonly leftMicros: number
}

/** Answers everybody in a batch. */
export function answerAll(batch: readonly Together[], row: AdmitRow): void {
  for (let i = 0; i < row.places.length; i++) {
    const together = batch[(row.places[i] ?? 0) - 1]
    if (together === undefined) continue
    const counted = countedIn(row, i)
    if (counted === null) for (const { resolve } of together) resolve(null)
    else answer(together, counted)
  }
}

/** Admits everybody in a batch who has a key, or needs none: the database cannot count. */
export function admitUncounted(batch: readonly Together[], row: KeysRow): void {
  for (let i = 0; i < row.places.length; i++) {
    const caller = row.callers[i] ?? null
    for (const { window, resolve } of batch[(row.places[i] ?? 0) - 1] ?? []) {
      const admission: Admission = { allowed: true, remaining: window.limit - 1, resetSeconds: RATE_WINDOW_SECONDS }
      resolve(caller === null ? null : { key: keyIn(row, i), admission })
    }
  }
}

function keyIn(row: Pick<AdmitRow, "keyIds" | "organizationIds">, i: number): FoundKey | null {
  const id = row.keyIds[i] ?? null
  return id === null ? null : { id, organizationId: row.organizationIds[i] ?? null }
}

/** Null where there is no such key. */
function countedIn(row: AdmitRow, i: number): Counted | null {
  const [oldest, count, at, admitted] = [row.oldest[i], row.counts[i], row.moments[i], row.admitted[i]]
  if (oldest == null || count == null || at == null || admitted == null) return null
  return { key: keyIn(row, i), count, admitted, leftMicros: oldest + WINDOW_MICROS - at }
}

function answer(together: Together, { key, count, admitted, leftMicros }: Counted): void {
  const seconds = Math.max(1, Math.ceil(leftMicros / MICROS_PER_SECOND))
  const before = count - admitted
  for (const [place, { window, resolve }] of together.entries()) {
    const admission: Admission =
      place < admitted
        ? { allowed: true, remaining: window.limit - before - place - 1, resetSeconds: seconds }
        : { allowed: false, retryAfterSeconds: seconds }
    resolve({ key, admission })
  }
}
