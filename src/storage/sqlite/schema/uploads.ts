import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { organization, user } from "./people.ts"

// A file that somebody uploads, from its first byte to what became of it.
export const upload = sqliteTable(
  "upload",
  {
    id: integer().primaryKey(),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    uploadedBy: integer("uploaded_by").references(() => user.id, { onDelete: "set null" }),
    kind: text({ enum: ["delivery", "affiliate_codes", "affiliate_metrics"] }).notNull(),
    fileName: text("file_name").notNull(),
    state: text({
      enum: ["arriving", "columns", "reading", "preview", "reporting", "done", "unreadable", "discarded"],
    }).notNull(),
    bytes: integer().notNull(),
    // SHA-256 of the content, to notice a file that was uploaded before.
    digest: text().notNull(),
    uploadedAt: integer("uploaded_at").notNull(),
    changedAt: integer("changed_at").notNull(),
    // Below the header. Until the file was read, the number of line breaks.
    rows: integer().notNull(),
    rowsDone: integer("rows_done").notNull(),
    // JSON: what the columns mean, and what else the person has decided.
    choices: text().notNull(),
    // JSON: what was found in the file, or what became of it.
    summary: text().notNull(),
    // When its totals count as received: fixed, so that a part that is reported again after a crash adds nothing.
    receivedAt: integer("received_at"),
    // The server that works on it, and until when the others leave it to that one.
    worker: text(),
    workerUntil: integer("worker_until"),
  },
  (table) => [
    index("upload_organization").on(table.organizationId, table.uploadedAt),
    index("upload_state").on(table.state, table.changedAt),
    index("upload_user").on(table.uploadedBy),
  ],
)

// The text of the file, and the lines of its preview, in pieces that are read and written quickly.
export const uploadPart = sqliteTable(
  "upload_part",
  {
    uploadId: integer("upload_id")
      .notNull()
      .references(() => upload.id, { onDelete: "cascade" }),
    kind: text({ enum: ["file", "preview"] }).notNull(),
    position: integer().notNull(),
    content: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.kind, table.position] })],
)

// What an organization's files call our columns, as somebody matched them by hand.
export const uploadColumn = sqliteTable(
  "upload_column",
  {
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    kind: text({ enum: ["delivery", "affiliate_codes", "affiliate_metrics"] }).notNull(),
    name: text().notNull(),
    meaning: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.kind, table.name] })],
)
