import type { Kit } from "./kit.ts"

const CALL_TEXT_BYTES =
  "octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + coalesce(octet_length(demand), 0) + 120"
const CALL_BYTES = `iif(${CALL_TEXT_BYTES} <= 2000, ${CALL_TEXT_BYTES}, (${CALL_TEXT_BYTES} + 4091) / 4092 * 4096)`

export function callTables({ computed, index, primaryKey, rowId, table, text, whole }: Kit) {
  const agentCall = table(
    "agent_call",
    {
      id: rowId(),
      at: whole().notNull(),
      agentKeyId: text("agent_key_id"),
      address: text(),
      method: text().notNull(),
      tool: text(),
      arguments: text(),
      outcome: text().notNull(),
      durationMicros: whole("duration_micros").notNull(),
      // What get_products understood of the brief and showed, as JSON; null for other tools and refused calls.
      demand: text(),
      // Roughly the size of the row in the file, computed. Rows larger than half a page take whole pages.
      bytes: computed(CALL_BYTES),
    },
    (columns) => [index("agent_call_at").on(columns.at)],
  )

  /** The size of the call log, so that nobody has to count a million rows, with the id 1. */
  const agentCallSize = table("agent_call_size", {
    id: whole().primaryKey(),
    rows: whole().notNull(),
    bytes: whole().notNull(),
  })

  /** What each caller takes of it, in calls with ids above `after_id`. */
  const agentCallShare = table("agent_call_share", {
    caller: text().primaryKey(),
    afterId: whole("after_id").notNull(),
    bytes: whole().notNull(),
  })

  /** Refused requests, counted by the hour. */
  const refusal = table(
    "refusal",
    {
      hour: whole().notNull(),
      door: text().notNull(),
      status: whole().notNull(),
      requests: whole().notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.hour, columns.door, columns.status] })],
  )
  return { agentCall, agentCallSize, agentCallShare, refusal }
}
