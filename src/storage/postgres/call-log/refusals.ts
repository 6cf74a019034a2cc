import type { RefusalCount } from "../../../domain/operations/refusal.ts"
import type { Refusals } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

const REFUSAL_SQL = {
  // In one order, so that two replicas that count the same refusals do not wait for each other in a circle.
  add: `INSERT INTO refusal AS r (hour, door, status, requests)
    SELECT hour, door, status, requests
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS c (hour, door, status, requests)
    ORDER BY hour, door COLLATE "C", status
    ON CONFLICT (hour, door, status) DO UPDATE SET requests = r.requests + excluded.requests`,
  since: "SELECT hour, door, status, requests FROM refusal WHERE hour >= $1 ORDER BY hour, door, status",
  prune: "DELETE FROM refusal WHERE hour < $1",
}

export function refusals({ read, recordFigures, write }: Connection): Refusals {
  // Never many: doors and statuses are few, and more than one hour waits only while the database cannot be written.
  let waiting = new Map<string, RefusalCount>()
  // Counted on while these are written, so that they are kept apart until it is known whether they were.
  let underWay: ReadonlyMap<string, RefusalCount> = new Map()

  function count(refusal: RefusalCount): void {
    const key = `${refusal.hour} ${refusal.door} ${refusal.status}`
    const requests = (waiting.get(key)?.requests ?? 0) + refusal.requests
    waiting.set(key, { ...refusal, requests })
  }

  write.alongside({
    waiting: () => waiting.size + underWay.size > 0,
    async write({ rows }) {
      // Those of an attempt that was undone are written again.
      for (const refusal of underWay.values()) count(refusal)
      underWay = waiting
      waiting = new Map()
      const counts = [...underWay.values()]
      await rows(REFUSAL_SQL.add, [
        counts.map(({ hour }) => hour),
        counts.map(({ door }) => door),
        counts.map(({ status }) => status),
        counts.map(({ requests }) => requests),
      ])
    },
    written() {
      underWay = new Map()
    },
  })
  return {
    note: (refusal) => count({ ...refusal, requests: 1 }),
    since: (from) => read(({ rows }) => rows<RefusalCount>(REFUSAL_SQL.since, [from])),
    prune: (before) =>
      recordFigures(async ({ rows }) => {
        await rows(REFUSAL_SQL.prune, [before])
      }),
  }
}
