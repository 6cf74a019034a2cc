import { sql } from "drizzle-orm"
import type { RefusalCount } from "../../../domain/operations/refusal.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { all, asc, exec, gte, type LaterSteps, lt, type Steps } from "../step.ts"

export function refusals({ query, transact }: Steps, { behind }: LaterSteps) {
  // Never many: doors and statuses are few, and more than one hour waits only while nothing can be written.
  const waiting = behind<RefusalCount>(
    { merge: (older, newer) => ({ ...older, requests: older.requests + newer.requests }) },
    function* ({ db, refusal }, rows) {
      // In one order, so that two replicas that count the same refusals do not wait for each other in a circle.
      const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      const target = [refusal.hour, refusal.door, refusal.status]
      const set = { requests: sql`${refusal.requests} + excluded.requests` }
      yield* exec(db.insert(refusal).values(inOrder).onConflictDoUpdate({ target, set }))
    },
  )
  return {
    /** Counts one refused request. Written with the next commit, or by `flushWriteBuffer`. */
    note: (refused: Omit<RefusalCount, "requests">) => waiting.add({ ...refused, requests: 1 }, keyOf(refused)),
    /** The counts of all hours that start at this moment or later, oldest first. */
    since: (from: Moment) =>
      query(function* ({ db, refusal }) {
        const order = [asc(refusal.hour), asc(refusal.door), asc(refusal.status)]
        const counts = db.select().from(refusal).where(gte(refusal.hour, from))
        return (yield* all(counts.orderBy(...order))) as RefusalCount[]
      }),
    /** Deletes the counts of hours that start before this moment. */
    prune: (before: Moment) => transact(({ db, refusal }) => exec(db.delete(refusal).where(lt(refusal.hour, before)))),
  }
}

const keyOf = ({ hour, door, status }: Omit<RefusalCount, "requests">) => `${hour} ${door} ${status}`
