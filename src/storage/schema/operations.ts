import { ALERT_KINDS } from "../../domain/alerts/alert.ts"
import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export function operationTables({ index, rowId, table, text, whole }: Kit, { organization }: PeopleTables) {
  const auditEntry = table(
    "audit_entry",
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

  const setting = table("setting", {
    name: text().primaryKey(),
    value: text().notNull(),
  })
  return { auditEntry, setting }
}

export function alertTables({ index, primaryKey, table, text, whole }: Kit) {
  // Why an operator was alerted: the last time of each cause.
  const alert = table(
    "alert",
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
