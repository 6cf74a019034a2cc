import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export function uploadTables(
  { idOf, index, primaryKey, rowId, table, text, whole }: Kit,
  { organization, user }: PeopleTables,
) {
  // A file that waits for somebody to decide about it, or was reported.
  const upload = table(
    "upload",
    { forgets: "nothing", rows: "many", exported: "csv and json", hidden: ["lines"] },
    {
      id: rowId(),
      organizationId: idOf("organization_id", () => organization.id, { onDelete: "cascade" }),
      // Null for a file that a program sent, or whose account was removed.
      uploadedBy: whole("uploaded_by").references(() => user.id, { onDelete: "set null" }),
      kind: text({ enum: ["delivery", "affiliate_codes", "affiliate_metrics"] }).notNull(),
      fileName: text("file_name").notNull(),
      state: text({ enum: ["open", "done"] }).notNull(),
      bytes: whole().notNull(),
      uploadedAt: whole("uploaded_at").notNull(),
      // Below the header.
      rows: whole().notNull(),
      // JSON: what the columns mean, and what else the person has decided.
      choices: text().notNull(),
      // JSON: what was found in the file, or what became of it.
      summary: text().notNull(),
      // When its totals count as received: fixed, so that a part that is reported again after a crash adds nothing. Null for a program's: then
      // `uploaded_at`.
      receivedAt: whole("received_at"),
      // JSON: the lines of which it reported something, with their totals before and after. Null before it did.
      lines: text(),
    },
    (columns) => [
      index("upload_organization").on(columns.organizationId, columns.uploadedAt),
      index("upload_user").on(columns.uploadedBy),
    ],
  )

  // The text of a file that a person uploaded; of a workbook that of each sheet.
  const uploadText = table(
    "upload_text",
    { forgets: "nothing", rows: "many", exported: "json", hidden: [] },
    {
      uploadId: idOf("upload_id", () => upload.id, { onDelete: "cascade" }),
      sheet: whole().notNull(),
      content: text().notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.uploadId, columns.sheet] })],
  )

  // How an organization's files are read, by a hash of their headings, and which lines they mean by a name, as somebody said by hand.
  const uploadMemory = table(
    "upload_memory",
    { forgets: "nothing", rows: "few", exported: "json", hidden: [], isStoredByKey: true },
    {
      organizationId: idOf("organization_id", () => organization.id, { onDelete: "cascade" }),
      kind: text({ enum: ["reading", "line"] }).notNull(),
      name: text().notNull(),
      meaning: text().notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.organizationId, columns.kind, columns.name] })],
  )

  return { upload, uploadText, uploadMemory }
}
