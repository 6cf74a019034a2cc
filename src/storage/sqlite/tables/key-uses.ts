import type { Moment } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"

const MINUTE: Moment = 60_000_000

/**
 * Collects when keys were last used and writes it with the next commit, so that a request costs no commit of its own.
 * Lists show minutes, so one write per key and minute is enough.
 */
export function keyUses(
  { database, write }: Connection,
  table: "ingest_key" | "agent_key",
): (id: string, at: Moment) => void {
  const update = database.query<unknown, [Moment, string]>(
    `UPDATE ${table} SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)`,
  )
  const stampedMinute = new Map<string, number>()
  const pending = new Map<string, Moment>()

  write.alongside({
    waiting: () => pending.size > 0,
    write() {
      for (const [id, at] of pending) update.run(at, id)
    },
    written: () => pending.clear(),
  })

  return (id, at) => {
    const minute = Math.floor(at / MINUTE)
    if (stampedMinute.get(id) === minute) return
    stampedMinute.set(id, minute)
    pending.set(id, at)
  }
}
