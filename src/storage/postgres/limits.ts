import { type Admission, admissionOf, type Limits } from "../../domain/rate-limit.ts"
import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import type { Leases } from "../database.ts"
import type { Pool } from "./connect.ts"
import { cannotWrite } from "./errors.ts"

/** In tests: what limits and leases are timed by. Otherwise it's the database's clock, the only one that all servers share. */
type SharedClock = (() => Moment) | undefined

const SWEEP_MS = 60_000

/** Windows that all servers share. */
export function sharedLimits(pool: Pool, clock: SharedClock): Limits & Disposable {
  // Rows that can't be deleted now are deleted the next time.
  const sweeper = setInterval(() => pool.run((client) => client.unsafe(SWEEP)).catch(() => undefined), SWEEP_MS)
  sweeper.unref()
  return {
    async admit(caller, { name, limit }) {
      const who = `${name} ${caller}`.replaceAll("\0", "\u{fffd}")
      try {
        const [row] = await pool.run((client) => client.unsafe<AdmitRow[]>(ADMIT, [who, limit, clock?.() ?? null]))
        if (row === undefined) throw new Error("A request wasn't counted.")
        return admissionOf(row.is_allowed, Number(row.remaining), Number(row.wait))
      } catch (cause) {
        // Reads continue while nothing can be written, so requests can't be counted either.
        if (cannotWrite(cause)) return uncounted(limit)
        throw cause
      }
    },
    [Symbol.dispose]: () => clearInterval(sweeper),
  }
}

interface AdmitRow {
  readonly is_allowed: boolean
  readonly remaining: string
  readonly wait: string
}

const ADMIT = "SELECT * FROM admit($1, $2, $3)"
const SWEEP = "DELETE FROM rate_window WHERE caller IN (SELECT caller FROM idle_windows(1000))"

const uncounted = (limit: number): Admission => admissionOf(true, limit, 0)

/** Leases for jobs, so that only one server runs each job. A lease expires by itself if its holder dies. */
export function sharedLeases(pool: Pool, clock: SharedClock): Leases {
  const holder = crypto.randomUUID()
  return {
    async take(job, seconds) {
      const values = [job, holder, seconds * MICROS_PER_SECOND, clock?.() ?? null]
      const taken = await pool.run((client) => client.unsafe(TAKE, values))
      return taken.length > 0
    },
  }
}

const TAKE = `INSERT INTO lease AS held (job, holder, expires_at)
  SELECT $1, $2, now_micros($4) + $3::bigint
  ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE held.holder = excluded.holder OR held.expires_at <= now_micros($4)
  RETURNING job`
