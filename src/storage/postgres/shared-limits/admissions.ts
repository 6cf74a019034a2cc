import type { Admissions } from "../../port/admissions.ts"
import type { Connection } from "../engine/connection.ts"
import { admissionQueue, type FoundKey } from "./admission-queue.ts"
import { SWEEP } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"

/** Keys and rate windows from the tables, so that all replicas together admit as many as one would. `now` is the clock's business. */
export function admissions(connection: Connection, clock: GivenClock): Admissions & Disposable {
  const queue = admissionQueue(connection, clock)
  const sweeper = sweeping(connection, clock)
  return {
    async ingest(fingerprint, window) {
      const answer = await queue.ask("ingest", fingerprint, window)
      const key = ingestKey(answer?.key)
      return answer === null || key === null ? null : { key, admission: answer.admission }
    },
    async agent(fingerprint, window) {
      const answer = await queue.ask("agent", fingerprint, window)
      if (answer === null || answer.key === null) return null
      return { key: { id: answer.key.id }, admission: answer.admission }
    },
    async caller(window, caller, _, answerBy) {
      const answer = await queue.ask("caller", caller, window, answerBy)
      if (answer === null) throw new Error("a caller without a key was not counted")
      return answer.admission
    },
    [Symbol.dispose]: () => sweeper[Symbol.dispose](),
  }
}

function ingestKey(key: FoundKey | null | undefined) {
  const organizationId = key?.organizationId ?? null
  return key === null || key === undefined || organizationId === null ? null : { id: key.id, organizationId }
}

const EVERY_MS = 10_000
const AT_A_TIME = 5_000
// Twice as many as new callers can come in that time.
const ROUNDS_MAX = 100

/** Deletes windows that are over, so that a flood of addresses is gone a minute after it ended. Returns how many. */
export async function sweepWindows({ read }: Pick<Connection, "read">, clock: GivenClock): Promise<number> {
  let deleted = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const rows = await read((session) => session.rows(SWEEP, [AT_A_TIME, clock?.() ?? null]))
    deleted += rows.length
    if (rows.length < AT_A_TIME) break
  }
  return deleted
}

/** Sweeps now and then, as long as it is not disposed of. */
function sweeping(connection: Pick<Connection, "read">, clock: GivenClock): Disposable {
  let isAtIt = false
  const timer = setInterval(() => {
    if (isAtIt) return
    isAtIt = true
    // What cannot be deleted now can be the next time.
    sweepWindows(connection, clock)
      .catch(() => undefined)
      .finally(() => {
        isAtIt = false
      })
  }, EVERY_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
