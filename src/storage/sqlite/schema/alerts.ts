import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"

// Why an operator was alerted: the last time of each cause.
export const alert = sqliteTable(
  "alert",
  {
    kind: text({ enum: ["feed_silent", "line_behind", "backup_failed", "disk_low", "certificate_ending"] }).notNull(),
    // Which one: the id of a key or a line, a host; empty where there is only one.
    subject: text().notNull(),
    title: text().notNull(),
    detail: text().notNull(),
    // The page to look at, without the address of the server.
    path: text().notNull(),
    beganAt: integer("began_at").notNull(),
    endedAt: integer("ended_at"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject] })],
)

// What has to be sent to whom, and what became of it.
export const alertMessage = sqliteTable(
  "alert_message",
  {
    id: text().primaryKey(),
    channel: text({ enum: ["email", "webhook"] }).notNull(),
    // JSON.
    content: text().notNull(),
    createdAt: integer("created_at").notNull(),
    attempts: integer().notNull(),
    // Null when it was sent or given up.
    nextAttemptAt: integer("next_attempt_at"),
    sentAt: integer("sent_at"),
    // Why the last attempt failed.
    problem: text(),
  },
  (table) => [index("alert_message_next").on(table.nextAttemptAt), index("alert_message_created").on(table.createdAt)],
)
