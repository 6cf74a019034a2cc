import { randomInt } from "node:crypto"
import { rateLimiters } from "../../domain/callers/rate-limit.ts"
import { FAILURE_PLACES, type SignInThrottle, signInThrottle } from "../../domain/people/sign-in.ts"
import type { ActiveAgentKey, ActiveIngestKey, Admissions, Leases } from "../port/admissions.ts"
import type { Connection } from "./engine/connection.ts"
import { KEY_SQL } from "./tables/hot-sql.ts"

// About 300 bytes each. Many more than an installation uses.
const KEYS_CACHED_MAX = 10_000

/** Keys come from the tables, rate windows from memory: this is the only server using the data directory. */
export function admissions({ database, reading }: Connection): Admissions {
  const ingestKey = database.query<ActiveIngestKey, [string]>(KEY_SQL.activeIngestKey)
  const agentKey = database.query<ActiveAgentKey, [string]>(KEY_SQL.activeAgentKey)
  const findIngestKey = reading.cached(KEYS_CACHED_MAX, (fingerprint: string) => ingestKey.get(fingerprint))
  const findAgentKey = reading.cached(KEYS_CACHED_MAX, (fingerprint: string) => agentKey.get(fingerprint))
  // Secret, so that callers cannot choose whom they share a window with.
  const limiters = () => rateLimiters(randomInt(2 ** 32))
  const [ingest, agent, callers] = [limiters(), limiters(), limiters()]

  return {
    async ingest(fingerprint, window, now) {
      const key = findIngestKey(fingerprint)
      return key && { key, admission: ingest(window).admit(key.id, now) }
    },
    async agent(fingerprint, window, now) {
      const key = findAgentKey(fingerprint)
      return key && { key, admission: agent(window).admit(key.id, now) }
    },
    caller: async (window, caller, now) => callers(window).admit(caller, now),
  }
}

/** The only server using the data directory holds every lease. */
export const leases: Leases = { take: async () => true }

/** Failed sign-ins, kept in memory: this is the only server using the data directory. */
export function signInFailures(seed = randomInt(2 ** 32)): SignInThrottle {
  const failures = new Uint16Array(FAILURE_PLACES)
  const lastAt = new Float64Array(FAILURE_PLACES)
  // The seed is unknown to callers, so that none can choose whom it shares a place with.
  const placeOf = (subject: string) => Number(Bun.hash.wyhash(subject, BigInt(seed)) % BigInt(FAILURE_PLACES))
  return signInThrottle(async (_, work, now = 0) =>
    work({
      now,
      get: (subject) => ({ failures: failures[placeOf(subject)] ?? 0, lastAt: lastAt[placeOf(subject)] ?? 0 }),
      set(subject, known) {
        failures[placeOf(subject)] = known.failures
        lastAt[placeOf(subject)] = known.lastAt
      },
    }),
  )
}
