import type { Moment } from "../../../domain/time/moment.ts"
import { and, eq, exec, isNull, type LaterSteps, lt, or } from "../step.ts"

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
