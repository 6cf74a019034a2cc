import type { Admission, RateWindow } from "../../../domain/callers/rate-limit.ts"
import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { numberArray, textArray } from "../engine/arrays.ts"
import type { Connection } from "../engine/connection.ts"
import { DEADLINE_MS, DeadlineError, inRequestTime } from "../engine/deadline.ts"
import { cannotWrite } from "../engine/postgres-errors.ts"
import { storableText, type Value } from "../engine/session.ts"
import { inFlight, writeGroups } from "../engine/write-groups.ts"
import { ADMIT, type AdmitRow, KEYS_ASKED_FOR, type KeysRow, WINDOW_MICROS } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"

const IN_FLIGHT_MAX = 2
const WINDOWS_AT_A_TIME = 500
// A statement of 64 windows costs the database half as much for each of them as one of 16. So while one is under way, others wait for it,
// or until they are as many.
const WINDOWS_AT_LEAST = 64
// Many more than the requests that are let in at a time. Beyond this, they fail before memory runs out.
const WAITING_MAX = 20_000
// How long a database that took no write is not asked to count.
const TRIES_AGAIN_MS = 1_000

const BOUNDS = {
  rowsAtATime: WINDOWS_AT_A_TIME,
  rowsWorthAnother: WINDOWS_AT_LEAST,
  // After all requests that have arrived by now were read, so that they share the statement.
  soon: setImmediate,
}

/**
 * Everybody who waits goes in one statement; while as many as allowed are under way, the next one collects. Each request waits no longer
 * than its deadline. While the database takes no writes (its disk is full, it is read-only), keys are still looked up in it, and
 * everybody who has one is admitted.
 */
export function admissionQueue(connection: Pick<Connection, "read" | "caches">, clock: GivenClock) {
  const groups = writeGroups<Waiting>(admitAll, { ...BOUNDS, inFlight: inFlight(IN_FLIGHT_MAX) })
  let cannotCountUntil = Number.NEGATIVE_INFINITY

  /** In one statement or, where callers name several limits for one window, in some. */
  async function admitAll(group: readonly Waiting[]): Promise<void> {
    for (let left = group; left.length > 0; ) {
      const taken = takeBatch(left)
      await admit(taken.batch).catch((cause) => {
        for (const together of taken.batch) for (const { reject } of together) reject(cause)
      })
      left = taken.left
    }
  }

  function add(request: Pick<Waiting, "id" | "kind" | "who" | "window" | "answerBy">): Promise<Answer | null> {
    if (groups.size() >= WAITING_MAX) return Promise.reject(new Error("too many requests wait for the database"))
    return new Promise((resolve, reject) => groups.add({ ...request, rows: 1, resolve, reject }))
  }

  async function admit(batch: readonly Together[]): Promise<void> {
    const withinMs = Math.min(...batch.map(([{ answerBy }]) => answerBy)) - performance.now()
    if (withinMs <= 0) throw new DeadlineError(`The database did not answer within ${DEADLINE_MS / 1000} s`)
    const columns = columnsOf(batch)
    if (performance.now() < cannotCountUntil) return admitByKey(batch, columns, withinMs)
    try {
      answerAll(batch, await only<AdmitRow>(connection, ADMIT, [...columns, clock?.() ?? null], withinMs))
    } catch (cause) {
      if (!cannotWrite(cause)) throw cause
      cannotCountUntil = performance.now() + TRIES_AGAIN_MS
      await admitByKey(batch, columns, withinMs)
    }
  }

  async function admitByKey(batch: readonly Together[], columns: readonly Value[], withinMs: number): Promise<void> {
    admitUncounted(batch, await only<KeysRow>(connection, KEYS_ASKED_FOR, columns, withinMs))
  }

  return {
    /** Null when there is no such key. Answered by then, by `performance.now()`. */
    ask(kind: Kind, subject: string, window: RateWindow, answerBy?: number): Promise<Answer | null> {
      const who = storableText(subject)
      const id = `${rowName(kind, window)}\n${who}`
      if (answerBy !== undefined) return add({ id, kind, who, window, answerBy })
      return inRequestTime((ms) => add({ id, kind, who, window, answerBy: performance.now() + ms }))
    },
  }
}

async function only<Row extends AdmitRow | KeysRow>(
  { read, caches }: Pick<Connection, "read" | "caches">,
  statement: string,
  values: readonly Value[],
  withinMs: number,
) {
  const [row] = await read(({ rows }) => rows<Row>(statement, values), { withinMs })
  if (row === undefined) throw new Error("the database did not say who is admitted")
  caches.saw(row.terms, row.catalogue)
  return row
}

type Kind = "ingest" | "agent" | "caller"

export interface FoundKey {
  readonly id: string
  readonly organizationId: number | null
}

/** The key is null for whoever is counted without one. */
interface Answer {
  readonly key: FoundKey | null
  readonly admission: Admission
}

interface Waiting {
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
type Together = [Waiting, ...Waiting[]]

/** Windows of the same name are counted apart by kind. */
const rowName = (kind: Kind, { name }: RateWindow): string => `${kind} ${name}`

/** Of those who wait, the requests of each window, and who is left: whoever names another limit for it, as a row is written only once. */
function takeBatch(waiting: readonly Waiting[]): { batch: Together[]; left: Waiting[] } {
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
function columnsOf(batch: readonly Together[]): Value[] {
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

function answerAll(batch: readonly Together[], row: AdmitRow): void {
  for (let i = 0; i < row.places.length; i++) {
    const together = batch[(row.places[i] ?? 0) - 1]
    if (together === undefined) continue
    const counted = countedIn(row, i)
    if (counted === null) for (const { resolve } of together) resolve(null)
    else answer(together, counted)
  }
}

/** Admits everybody in a batch who has a key, or needs none: the database cannot count. */
function admitUncounted(batch: readonly Together[], row: KeysRow): void {
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
