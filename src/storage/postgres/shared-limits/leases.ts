import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import type { Leases } from "../../port/admissions.ts"
import type { Access } from "../engine/transaction.ts"
import { DATABASE_NOW, type GivenClock } from "./clock.ts"

// A standby is not waited for: a lease that is lost with its server is taken by somebody else, too, at worst.
// $1 name, $2 holder, $3 how long, $4 the time of a test or null.
const TAKE = `
  INSERT INTO lease AS held (name, holder, expires_at)
  SELECT $1, $2, t.now + $3::bigint FROM (SELECT coalesce($4::bigint, ${DATABASE_NOW}) AS now) t
  ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at
  WHERE held.holder = EXCLUDED.holder OR held.expires_at <= EXCLUDED.expires_at - $3::bigint
  RETURNING name, set_config('synchronous_commit', 'local', true)`

/** Who holds a lease is gone when it no longer asks for it: so it ends by the database's clock, whatever happened to the holder. */
export function leases({ read }: Access, clock: GivenClock): Leases {
  const holder = crypto.randomUUID()
  return {
    async take(name, seconds) {
      const values = [name, holder, seconds * MICROS_PER_SECOND, clock?.() ?? null]
      return (await read(({ rows }) => rows(TAKE, values))).length > 0
    },
  }
}
