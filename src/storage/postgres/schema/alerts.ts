import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core"
import { whole } from "./columns.ts"

export const alert = pgTable(
  "alert",
  {
    kind: text({ enum: ["feed_silent", "line_behind", "backup_failed", "disk_low", "certificate_ending"] }).notNull(),
    subject: text().notNull(),
    title: text().notNull(),
    detail: text().notNull(),
    path: text().notNull(),
    beganAt: whole("began_at").notNull(),
    endedAt: whole("ended_at"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject] })],
)

export const alertMessage = pgTable(
  "alert_message",
  {
    id: text().primaryKey(),
    channel: text({ enum: ["email", "webhook"] }).notNull(),
    content: text().notNull(),
    createdAt: whole("created_at").notNull(),
    attempts: whole().notNull(),
    nextAttemptAt: whole("next_attempt_at"),
    sentAt: whole("sent_at"),
    problem: text(),
  },
  (table) => [index("alert_message_next").on(table.nextAttemptAt), index("alert_message_created").on(table.createdAt)],
)
