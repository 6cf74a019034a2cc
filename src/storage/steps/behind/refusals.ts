import { sql } from "drizzle-orm"
import type { RefusalCount } from "../../../domain/operations/refusal.ts"
import type { Refusals } from "../../port/store.ts"
import { all, asc, exec, gte, type LaterSteps, lt, type Steps } from "../step.ts"

export function refusals({ query, transact }: Steps, { behind }: LaterSteps): Refusals {
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
    note: (refused) => waiting.add({ ...refused, requests: 1 }, keyOf(refused)),
    since: (from) =>
      query(function* ({ db, refusal }) {
        const order = [asc(refusal.hour), asc(refusal.door), asc(refusal.status)]
        const counts = yield* all(
          db
            .select()
            .from(refusal)
            .where(gte(refusal.hour, from))
            .orderBy(...order),
        )
        return counts as RefusalCount[]
      }),
    prune: (before) => transact(({ db, refusal }) => exec(db.delete(refusal).where(lt(refusal.hour, before)))),
  }
}

const keyOf = ({ hour, door, status }: Omit<RefusalCount, "requests">) => `${hour} ${door} ${status}`
