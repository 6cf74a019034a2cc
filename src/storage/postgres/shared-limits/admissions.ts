import type { Admission, RateWindow } from "../../../domain/callers/rate-limit.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import type { ActiveIngestKey, Admissions, Admitted } from "../../port/admissions.ts"
import { cannotWrite } from "../engine/postgres-errors.ts"
import { storableText, type Value } from "../engine/session.ts"
import type { Access } from "../engine/transaction.ts"
import { ADMIT, ADMIT_UNCOUNTED, type AdmitRow, type CallerKind, SWEEP } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"

/** Keys and rate windows from the tables, so that all replicas together admit as many as one would. `now` is the clock's business. */
export function admissions({ read }: Access, clock: GivenClock): Admissions & Disposable {
  const ask = (statement: string, values: readonly Value[]) => read(({ rows }) => rows<AdmitRow>(statement, values))

  /** Null when there is no such key. While the database takes no writes, keys are still looked up in it. */
  async function admitted(
    kind: CallerKind,
    subject: string,
    { name, limit }: RateWindow,
  ): Promise<Admitted<ActiveIngestKey> | null> {
    const who = storableText(subject)
    const [row] = await ask(ADMIT[kind], [who, name, limit, clock?.() ?? null]).catch((cause) => {
      if (!cannotWrite(cause)) throw cause
      return ask(ADMIT_UNCOUNTED[kind], [who])
    })
    if (row === undefined) return null
    const { id, organizationId } = row
    return { key: { id, organizationId }, admission: admissionOf(row, limit) }
  }

  // What cannot be deleted now can be the next time; another replica that comes while one is at it finds its lock taken.
  const sweeper = setInterval(() => void sweepWindows({ read }, clock).catch(() => undefined), SWEPT_EVERY_MS).unref()
  return {
    ingest: (fingerprint, window) => admitted("ingest", fingerprint, window),
    async agent(fingerprint, window) {
      const found = await admitted("agent", fingerprint, window)
      return found && { key: { id: found.key.id }, admission: found.admission }
    },
    async caller(window, caller) {
      const found = await admitted("caller", caller, window)
      if (found === null) throw new Error("a caller without a key was not counted")
      return found.admission
    },
    [Symbol.dispose]: () => clearInterval(sweeper),
  }
}

function admissionOf({ isAllowed, count, leftMicros }: AdmitRow, limit: number): Admission {
  const seconds = Math.max(1, Math.ceil(leftMicros / MICROS_PER_SECOND))
  return isAllowed
    ? { allowed: true, remaining: Math.max(0, limit - count), resetSeconds: seconds }
    : { allowed: false, retryAfterSeconds: seconds }
}

const SWEPT_EVERY_MS = 10_000
const AT_A_TIME = 5_000
// Twice as many as new callers can come in that time.
const ROUNDS_MAX = 100

/** Deletes windows that are over, so that a flood of addresses is gone a minute after it ended. Returns how many. */
export async function sweepWindows({ read }: Pick<Access, "read">, clock: GivenClock): Promise<number> {
  let deleted = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const rows = await read((session) => session.rows(SWEEP, [AT_A_TIME, clock?.() ?? null]))
    deleted += rows.length
    if (rows.length < AT_A_TIME) break
  }
  return deleted
}
