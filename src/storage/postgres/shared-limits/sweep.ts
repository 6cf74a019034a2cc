import type { Connection } from "../engine/connection.ts"
import { SWEEP } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"

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
export function sweeping(connection: Pick<Connection, "read">, clock: GivenClock): Disposable {
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
