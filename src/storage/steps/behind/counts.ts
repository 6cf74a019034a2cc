import { sql } from "drizzle-orm"
import type { RefusalCount } from "../../../domain/operations/refusal.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { all, and, asc, eq, exec, gte, isNull, type LaterSteps, lt, or, type Steps } from "../step.ts"

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

type KeyUse = Readonly<{ id: string; at: Moment }>

const MINUTE: Moment = 60_000_000

/** Notes when keys were last used. Lists show minutes, so one write per key and minute is enough. */
export function keyUses({ behind }: LaterSteps, kind: "ingestKey" | "agentKey"): (id: string, at: Moment) => void {
  const notedMinute = new Map<string, number>()
  const waiting = behind<KeyUse>({ merge: (_, newer) => newer }, function* (tx, uses) {
    const { [kind]: key, db } = tx
    // In one order: replicas note the same keys at the same time.
    for (const { id, at } of uses.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const isEarlier = and(eq(key.id, id), or(isNull(key.lastUsedAt), lt(key.lastUsedAt, at)))
      yield* exec(db.update(key).set({ lastUsedAt: at }).where(isEarlier))
    }
  })
  return (id, at) => {
    const minute = Math.floor(at / MINUTE)
    if (notedMinute.get(id) === minute) return
    notedMinute.set(id, minute)
    waiting.add({ id, at }, id)
  }
}
