import { randomInt } from "node:crypto"
import { type RateWindow, rateLimiters } from "../../../domain/callers/rate-limit.ts"
import { MICROS_PER_MS } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"
import { DEADLINE_MS, DeadlineError } from "../engine/deadline.ts"
import { cannotWrite } from "../engine/postgres-errors.ts"
import { inRequestTime } from "../engine/request-time.ts"
import type { Value } from "../engine/session.ts"
import { answerAll, answerHere } from "./admission-answers.ts"
import {
  type Answer,
  columnsOf,
  type Kind,
  rowName,
  type Together,
  takeBatch,
  type Waiting,
} from "./admission-batch.ts"
import { ADMIT, type AdmitRow, KEYS_ASKED_FOR, type KeysRow } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"
import { storableText } from "./storable-text.ts"

const IN_FLIGHT_MAX = 2
const WINDOWS_AT_A_TIME = 500
// A statement of 64 windows costs the database half as much for each of them as one of 16. So while one of some size is under way, others
// wait for it, or until they are as many; where few come, nobody waits.
const WINDOWS_AT_LEAST = 64
const FEW_WINDOWS = 8
// Many more than the requests that are let in at a time. Beyond this, they fail before memory runs out.
const WAITING_MAX = 20_000
// How long a database that took no write is not asked to count.
const TRIES_AGAIN_MS = 1_000

export interface AdmissionQueue {
  /** Null when there is no such key. Answered by then, by `performance.now()`. */
  ask(kind: Kind, who: string, window: RateWindow, answerBy?: number): Promise<Answer | null>
}

/**
 * Everybody who waits goes in one statement; while as many as allowed are under way, the next one collects. Each request waits no longer
 * than its deadline. While the database takes no writes (its disk is full, it is read-only), keys are still looked up in it, and
 * each replica counts for itself.
 */
export function admissionQueue(
  connection: Pick<Connection, "read" | "caches">,
  clock: GivenClock,
  bounds: { readonly inFlightMax?: number } = {},
): AdmissionQueue {
  const limiter = rateLimiters(randomInt(2 ** 32))
  const batches = batchesInFlight(admit, bounds.inFlightMax)
  let countsHereUntil = Number.NEGATIVE_INFINITY

  async function admit(batch: readonly Together[]): Promise<void> {
    const withinMs = Math.min(...batch.map(([{ answerBy }]) => answerBy)) - performance.now()
    if (withinMs <= 0) throw new DeadlineError(`The database did not answer within ${DEADLINE_MS / 1000} s`)
    const asked = columnsOf(batch)
    if (performance.now() < countsHereUntil) return countHere(batch, asked, withinMs)
    const row = await only<AdmitRow>(ADMIT, [...asked, clock?.() ?? null], withinMs).catch((cause) => {
      if (!cannotWrite(cause)) throw cause
      countsHereUntil = performance.now() + TRIES_AGAIN_MS
      return null
    })
    if (row === null) await countHere(batch, asked, withinMs)
    else answerAll(batch, row)
  }

  async function countHere(batch: readonly Together[], asked: readonly Value[], withinMs: number): Promise<void> {
    const row = await only<KeysRow>(KEYS_ASKED_FOR, asked, withinMs)
    answerHere(batch, row, limiter, clock?.() ?? performance.now() * MICROS_PER_MS)
  }

  async function only<Row extends AdmitRow | KeysRow>(statement: string, values: readonly Value[], withinMs: number) {
    const [row] = await connection.read(({ rows }) => rows<Row>(statement, values), { withinMs })
    if (row === undefined) throw new Error("the database did not say who is admitted")
    connection.caches.saw(row.terms, row.catalogue)
    return row
  }

  return {
    ask(kind, asked, window, answerBy) {
      const who = storableText(asked)
      const id = `${rowName(kind, window)}\n${who}`
      if (answerBy !== undefined) return batches.add({ id, kind, who, window, answerBy })
      return inRequestTime((ms) => batches.add({ id, kind, who, window, answerBy: performance.now() + ms }))
    },
  }
}

/** Forms batches of those who wait, and rejects everybody in a batch that fails. */
function batchesInFlight(admit: (batch: readonly Together[]) => Promise<void>, inFlightMax = IN_FLIGHT_MAX) {
  let waiting: Waiting[] = []
  let inFlight = 0
  let windowsInFlight = 0
  let isScheduled = false

  const maySend = () => inFlight < inFlightMax && (windowsInFlight < FEW_WINDOWS || waiting.length >= WINDOWS_AT_LEAST)

  function schedule(): void {
    if (isScheduled || !maySend()) return
    isScheduled = true
    // After all requests that have arrived by now were read, so that they share the statement.
    setImmediate(() => {
      isScheduled = false
      while (waiting.length > 0 && maySend()) send(nextBatch())
    })
  }

  /** A share of those who wait, so that one statement is made while another one runs. */
  function nextBatch(): Together[] {
    const share = Math.ceil(waiting.length / (inFlightMax - inFlight))
    const { batch, left } = takeBatch(waiting, Math.min(WINDOWS_AT_A_TIME, Math.max(WINDOWS_AT_LEAST, share)))
    waiting = left
    return batch
  }

  function send(batch: readonly Together[]): void {
    inFlight += 1
    windowsInFlight += batch.length
    admit(batch)
      .catch((cause) => {
        for (const together of batch) for (const { reject } of together) reject(cause)
      })
      .finally(() => {
        inFlight -= 1
        windowsInFlight -= batch.length
        if (waiting.length > 0) schedule()
      })
  }

  return {
    add(one: Omit<Waiting, "resolve" | "reject">): Promise<Answer | null> {
      if (waiting.length >= WAITING_MAX) return Promise.reject(new Error("too many requests wait for the database"))
      return new Promise((resolve, reject) => {
        const { id, kind, who, window, answerBy } = one
        waiting.push({ id, kind, who, window, answerBy, resolve, reject })
        schedule()
      })
    },
  }
}
