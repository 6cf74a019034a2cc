import { sql } from "drizzle-orm"
import { ALERT_KINDS } from "../../domain/alerts/alert.ts"
import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export function operationTables({ index, rowId, table, text, whole }: Kit, { organization }: PeopleTables) {
  const auditEntry = table(
    "audit_entry",
    { forgets: "nothing", rows: "endless", exported: "csv and json", hidden: [] },
    {
      id: rowId(),
      at: whole().notNull(),
      // Who: "user:12", "command", "import", "setup".
      actor: text().notNull(),
      // What, as verb and noun: "revoke ingest_key".
      action: text().notNull(),
      subject: text().notNull(),
      organizationId: whole("organization_id").references(() => organization.id),
      details: text(),
    },
    (columns) => [index("audit_entry_at").on(columns.at), index("audit_entry_action").on(columns.action)],
  )

  const setting = table(
    "setting",
    { forgets: "nothing", rows: "few", exported: "json", hidden: [], isStoredByKey: true },
    {
      name: text().primaryKey(),
      value: text().notNull(),
    },
  )
  return { auditEntry, setting }
}

export function alertTables({ index, primaryKey, table, text, whole }: Kit) {
  // Why an operator was alerted: the last time of each cause.
  const alert = table(
    "alert",
    { forgets: "nothing", rows: "few", exported: "csv and json", hidden: [], isStoredByKey: true },
    {
      kind: text({ enum: ALERT_KINDS }).notNull(),
      // Which one: the id of a key or a line, a host; empty where there is only one.
      subject: text().notNull(),
      title: text().notNull(),
      detail: text().notNull(),
      // The page to look at, without the address of the server.
      path: text().notNull(),
      beganAt: whole("began_at").notNull(),
      endedAt: whole("ended_at"),
    },
    (columns) => [primaryKey({ columns: [columns.kind, columns.subject] })],
  )

  // What has to be sent to whom, and what became of it.
  const alertMessage = table(
    "alert_message",
    { forgets: "nothing", rows: "endless", exported: "csv and json", hidden: [] },
    {
      id: text().primaryKey(),
      channel: text({ enum: ["email", "webhook"] }).notNull(),
      content: text().notNull(),
      createdAt: whole("created_at").notNull(),
      attempts: whole().notNull(),
      // Null when it was sent or given up.
      nextAttemptAt: whole("next_attempt_at"),
      sentAt: whole("sent_at"),
      // Why the last attempt failed.
      problem: text(),
    },
    (columns) => [
      index("alert_message_next").on(columns.nextAttemptAt),
      index("alert_message_created").on(columns.createdAt),
    ],
  )
  return { alert, alertMessage }
}

const CALL_TEXT_BYTES =
  "octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + coalesce(octet_length(demand), 0) + 120"
const CALL_BYTES = `iif(${CALL_TEXT_BYTES} <= 2000, ${CALL_TEXT_BYTES}, (${CALL_TEXT_BYTES} + 4091) / 4092 * 4096)`

export function callTables({ computed, index, primaryKey, rowId, table, text, whole }: Kit) {
  const agentCall = table(
    "agent_call",
    { forgets: "nothing", rows: "bounded", exported: "csv and json", hidden: [] },
    {
      id: rowId(),
      at: whole().notNull(),
      agentKeyId: text("agent_key_id"),
      // The network address of an anonymous caller.
      address: text(),
      method: text().notNull(),
      tool: text(),
      // As JSON, with secrets masked.
      arguments: text(),
      outcome: text().notNull(),
      durationMicros: whole("duration_micros").notNull(),
      // What get_products understood of the brief and showed, as JSON; null for other tools and refused calls.
      demand: text(),
      // How many products fitted, and the countries that were asked for, each with a space on both sides: what calls are searched by.
      matched: whole(),
      countries: text(),
      // Only the version before uses it.
      bytes: computed(CALL_BYTES),
    },
    (columns) => [
      index("agent_call_at").on(columns.at),
      // Those without a key make room first.
      index("agent_call_stranger").on(columns.id).where(sql`agent_key_id IS NULL`),
    ],
  )

  /** With the id 1, the number of calls. Only earlier versions use `bytes`, and another row. */
  const agentCallSize = table(
    "agent_call_size",
    { forgets: "terms", rows: "few", exported: "json", hidden: [] },
    {
      id: whole().primaryKey(),
      rows: whole().notNull(),
      bytes: whole().notNull(),
    },
  )

  /** Only the version before uses it. */
  const agentCallShare = table(
    "agent_call_share",
    { forgets: "terms", rows: "few", exported: "json", hidden: [] },
    {
      caller: text().primaryKey(),
      afterId: whole("after_id").notNull(),
      bytes: whole().notNull(),
    },
  )

  /** Refused requests, counted by the hour. */
  const refusal = table(
    "refusal",
    { forgets: "nothing", rows: "endless", exported: "csv and json", hidden: [], isStoredByKey: true },
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

export function feedActivityTables({ index, onlyPostgres, primaryKey, rowId, table, text, whole }: Kit) {
  /**
   * What ingest keys sent, counted by the hour: requests by outcome, items by acceptance or reason. These three tables do not reference
   * the key: they are written with whatever is committed next, which must not fail because of them.
   */
  const feedCount = table(
    "feed_count",
    { forgets: "nothing", rows: "endless", exported: "csv and json", hidden: [], isStoredByKey: true },
    {
      ingestKeyId: text("ingest_key_id").notNull(),
      hour: whole().notNull(),
      feed: text().notNull(),
      // "request" or "item".
      unit: text().notNull(),
      outcome: text().notNull(),
      count: whole().notNull(),
    },
    (columns) => [
      primaryKey({ columns: [columns.ingestKeyId, columns.hour, columns.feed, columns.unit, columns.outcome] }),
      index("feed_count_hour").on(columns.hour),
    ],
  )

  const feedLastRequest = table(
    "feed_last_request",
    { forgets: "terms", rows: "few", exported: "csv and json", hidden: [], isStoredByKey: true },
    {
      ingestKeyId: text("ingest_key_id").primaryKey(),
      at: whole().notNull(),
      feed: text().notNull(),
      outcome: text().notNull(),
      accepted: whole().notNull(),
      rejected: whole().notNull(),
    },
  )

  /** Some of the rejected items of late; `more` counts those like it that were not kept. */
  const rejectedItem = table(
    "rejected_item",
    { forgets: "nothing", rows: "endless", exported: "csv and json", hidden: [] },
    {
      id: rowId(),
      organizationId: whole("organization_id").notNull(),
      ingestKeyId: text("ingest_key_id").notNull(),
      at: whole().notNull(),
      feed: text().notNull(),
      reason: text().notNull(),
      message: text().notNull(),
      packageId: text("package_id"),
      code: text(),
      // The item as sent, shortened, with keys masked.
      sent: text().notNull(),
      more: whole().notNull(),
    },
    ({ organizationId, ingestKeyId, at, id, reason }) => [
      index("rejected_item_organization").on(organizationId, ...onlyPostgres(id)),
      index("rejected_item_key").on(ingestKeyId, at, ...onlyPostgres(id), reason, organizationId),
      index("rejected_item_at").on(at),
    ],
  )

  return { feedCount, feedLastRequest, rejectedItem }
}
