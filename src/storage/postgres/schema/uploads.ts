import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core"
import { rowId, whole } from "./columns.ts"
import { organization, user } from "./people.ts"

export const upload = pgTable(
  "upload",
  {
    id: rowId(),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    uploadedBy: whole("uploaded_by").references(() => user.id, { onDelete: "set null" }),
    kind: text({ enum: ["delivery", "affiliate_codes", "affiliate_metrics"] }).notNull(),
    fileName: text("file_name").notNull(),
    state: text({
      enum: ["arriving", "columns", "reading", "preview", "reporting", "done", "unreadable", "discarded"],
    }).notNull(),
    bytes: whole().notNull(),
    digest: text().notNull(),
    uploadedAt: whole("uploaded_at").notNull(),
    changedAt: whole("changed_at").notNull(),
    rows: whole().notNull(),
    rowsDone: whole("rows_done").notNull(),
    choices: text().notNull(),
    summary: text().notNull(),
    receivedAt: whole("received_at"),
    worker: text(),
    workerUntil: whole("worker_until"),
  },
  (table) => [
    index("upload_organization").on(table.organizationId, table.uploadedAt),
    index("upload_state").on(table.state, table.changedAt),
    index("upload_user").on(table.uploadedBy),
  ],
)

export const uploadPart = pgTable(
  "upload_part",
  {
    uploadId: whole("upload_id")
      .notNull()
      .references(() => upload.id, { onDelete: "cascade" }),
    kind: text({ enum: ["file", "preview"] }).notNull(),
    position: whole().notNull(),
    content: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.kind, table.position] })],
)

export const uploadColumn = pgTable(
  "upload_column",
  {
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    kind: text({ enum: ["delivery", "affiliate_codes", "affiliate_metrics"] }).notNull(),
    name: text().notNull(),
    meaning: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.kind, table.name] })],
)
