import type { RefusalCount } from "../../../domain/operations/refusal.ts"
import type { Refusals } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

export const REFUSAL_SQL = {
  add: `INSERT INTO refusal (hour, door, status, requests) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (hour, door, status) DO UPDATE SET requests = requests + excluded.requests`,
  since: "SELECT hour, door, status, requests FROM refusal WHERE hour >= ?1 ORDER BY hour, door, status",
  prune: "DELETE FROM refusal WHERE hour < ?1",
}

type Row = [hour: number, door: string, status: number, requests: number]

export function refusals({ database, write }: Connection): Refusals {
  const add = database.query<unknown, Row>(REFUSAL_SQL.add)
  const counts = database.query<RefusalCount, [number]>(REFUSAL_SQL.since)
  const remove = database.query<unknown, [number]>(REFUSAL_SQL.prune)
  // Never many: doors and statuses are few, and more than one hour waits only while the disk cannot be written.
  const waiting = new Map<string, Row>()
  write.alongside({
    waiting: () => waiting.size > 0,
    write() {
      for (const row of waiting.values()) add.run(...row)
    },
    written: () => waiting.clear(),
  })
  return {
    note({ hour, door, status }) {
      const key = `${hour} ${door} ${status}`
      const row = waiting.get(key)
      if (row === undefined) waiting.set(key, [hour, door, status, 1])
      else row[3]++
    },
    since: async (from) => counts.all(from),
    prune: (before) => write.run(() => void remove.run(before)),
  }
}
