import type { Moment } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"

const MINUTE: Moment = 60_000_000

/**
 * Collects when keys were last used and writes it along with figures, so that a request costs no commit of its own. Lists show minutes,
 * so one write per key and minute is enough. Rows are locked in one order: replicas note the same keys at the same time.
 */
export function keyUses(
  { alongside }: Connection["write"],
  table: "ingest_key" | "agent_key",
): (id: string, at: Moment) => void {
  const stampedMinute = new Map<string, number>()
  const pending = new Map<string, Moment>()
  let sent: readonly (readonly [string, Moment])[] = []
  const update = `
    WITH noted AS (SELECT * FROM unnest($1::text[], $2::bigint[]) AS n(id, at)),
      locked AS (SELECT id FROM ${table} WHERE id IN (SELECT id FROM noted) ORDER BY id FOR NO KEY UPDATE)
    UPDATE ${table} k SET last_used_at = noted.at FROM noted JOIN locked USING (id)
    WHERE k.id = noted.id AND (k.last_used_at IS NULL OR k.last_used_at < noted.at)`

  alongside({
    waiting: () => pending.size > 0,
    async write({ rows }) {
      sent = [...pending]
      await rows(update, [sent.map(([id]) => id), sent.map(([, at]) => at)])
    },
    written() {
      for (const [id, at] of sent) if (pending.get(id) === at) pending.delete(id)
    },
  })

  return (id, at) => {
    const minute = Math.floor(at / MINUTE)
    if (stampedMinute.get(id) === minute) return
    stampedMinute.set(id, minute)
    pending.set(id, at)
  }
}
