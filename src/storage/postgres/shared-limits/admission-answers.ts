import type { Admission } from "../../../domain/callers/rate-limit.ts"
import { MICROS_PER_MS, MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { type FoundKey, rowName, type Together } from "./admission-batch.ts"
import { type AdmitRow, WINDOW_MICROS } from "./admission-sql.ts"
import type { FullWindows } from "./full-windows.ts"
import type { OwnAdmissions } from "./own-admissions.ts"

/** When the statement was sent and when its answer came, by this replica's clock. */
export interface RoundTrip {
  readonly sentMs: number
  readonly receivedMs: number
}

/** Where a replica remembers what was answered. */
export interface Remembered {
  readonly own: OwnAdmissions
  readonly full: FullWindows<FoundKey>
}

/** The window of one caller, after its requests were admitted or not. */
interface Counted {
  readonly key: FoundKey | null
  readonly count: number
  readonly admitted: number
  readonly leftMicros: number
}

/** Answers everybody in a batch, and remembers whom this replica admitted and which windows are full. */
export function answerAll(batch: readonly Together[], row: AdmitRow, trip: RoundTrip, remembered: Remembered): void {
  for (let i = 0; i < row.places.length; i++) {
    const together = batch[(row.places[i] ?? 0) - 1]
    if (together === undefined) continue
    const counted = countedIn(row, i)
    if (counted === null) for (const { resolve } of together) resolve(null)
    else {
      remember(together, counted, { trip, terms: row.terms, ...remembered })
      answer(together, counted)
    }
  }
}

/** Null where there is no such key. */
function countedIn(row: AdmitRow, i: number): Counted | null {
  const [oldest, count, at, admitted] = [row.oldest[i], row.counts[i], row.moments[i], row.admitted[i]]
  if (oldest == null || count == null || at == null || admitted == null) return null
  const id = row.keyIds[i] ?? null
  const key = id === null ? null : { id, organizationId: row.organizationIds[i] ?? null }
  return { key, count, admitted, leftMicros: oldest + WINDOW_MICROS - at }
}

function remember(
  [{ id, kind, who, window }]: Together,
  { key, count, admitted, leftMicros }: Counted,
  { own, full, trip, terms }: Remembered & { readonly trip: RoundTrip; readonly terms: number },
): void {
  const { sentMs, receivedMs } = trip
  if (admitted > 0) {
    const one = { name: rowName(kind, window), caller: key?.id ?? who, capacity: window.limit, requests: admitted }
    own.note(one, kind === "caller", receivedMs)
  }
  if (count < window.limit) return
  const [untilMs, openMs] = [sentMs + leftMicros / MICROS_PER_MS, receivedMs + leftMicros / MICROS_PER_MS]
  full.add(id, { limit: window.limit, key, untilMs, openMs }, receivedMs, terms)
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
