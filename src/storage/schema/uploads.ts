import { UPLOAD_STATES } from "../../domain/upload/upload.ts"
import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export function uploadTables(
  { idOf, index, primaryKey, rowId, table, text, whole }: Kit,
  { organization, user }: PeopleTables,
) {
  // A file that somebody uploads, from its first byte to what became of it.
  const upload = table(
    "upload",
    { forgets: "nothing", rows: "many", exported: "csv and json", hidden: ["digest", "worker", "workerUntil"] },
    {
      id: rowId(),
      organizationId: idOf("organization_id", () => organization.id, { onDelete: "cascade" }),
      uploadedBy: whole("uploaded_by").references(() => user.id, { onDelete: "set null" }),
      kind: text({ enum: ["delivery", "affiliate_codes", "affiliate_metrics"] }).notNull(),
      fileName: text("file_name").notNull(),
      state: text({ enum: UPLOAD_STATES }).notNull(),
      bytes: whole().notNull(),
      uploadedAt: whole("uploaded_at").notNull(),
      changedAt: whole("changed_at").notNull(),
      // Below the header. Until the file was reported, the number of line breaks.
      rows: whole().notNull(),
      rowsDone: whole("rows_done").notNull(),
      // JSON: what the columns mean, and what else the person has decided.
      choices: text().notNull(),
      // JSON: what was found in the file, or what became of it.
      summary: text().notNull(),
      // When its totals count as received: fixed, so that a part that is reported again after a crash adds nothing. Null for a program's: then
      // `uploaded_at`.
      receivedAt: whole("received_at"),
      // For replicas of an earlier build that run beside this one: to be dropped with a migration that these do not survive anyway.
      digest: text().notNull(),
      worker: text(),
      workerUntil: whole("worker_until"),
    },
    (columns) => [
      index("upload_organization").on(columns.organizationId, columns.uploadedAt),
      index("upload_state").on(columns.state, columns.changedAt),
      index("upload_user").on(columns.uploadedBy),
    ],
  )

  // The text of the file, what it reported of each line, in pieces that are read and written quickly, and the ids of these lines.
  const uploadPart = table(
    "upload_part",
    { forgets: "nothing", rows: "endless", exported: "json", hidden: [] },
    {
      uploadId: idOf("upload_id", () => upload.id, { onDelete: "cascade" }),
      kind: text({ enum: ["file", "preview", "lines"] }).notNull(),
      position: whole().notNull(),
      content: text().notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.uploadId, columns.kind, columns.position] })],
  )

  // How an organization's files are read, by a hash of their headings, and which lines they mean by a name, as somebody said by hand. The other
  // kinds are those of earlier builds, which remembered columns one by one.
  const uploadColumn = table(
    "upload_column",
    { forgets: "nothing", rows: "few", exported: "json", hidden: [], isStoredByKey: true },
    {
      organizationId: idOf("organization_id", () => organization.id, { onDelete: "cascade" }),
      kind: text({
        enum: ["delivery", "affiliate_codes", "affiliate_metrics", "figures", "line", "reading"],
      }).notNull(),
      name: text().notNull(),
      meaning: text().notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.organizationId, columns.kind, columns.name] })],
  )

  return { upload, uploadPart, uploadColumn }
}
