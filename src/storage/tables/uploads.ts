import type { Kit } from "./kit.ts"

export const uploadTables = ({ table, text, whole, id }: Kit) => ({
  /** An uploaded file. It's open until it's reported or discarded. */
  upload: table("upload", {
    id: id(),
    organizationId: whole("organization_id").notNull(),
    /** Null for a file that a program sent, or if the account was removed. */
    uploadedBy: whole("uploaded_by"),
    fileName: text("file_name").notNull(),
    state: text("state", { enum: ["open", "reported", "withdrawn"] }).notNull(),
    bytes: whole("bytes").notNull(),
    rows: whole("rows").notNull(),
    uploadedAt: whole("uploaded_at").notNull(),
    reportedAt: whole("reported_at"),
    /** The sheets of an open file and the answers of the person, as JSON. Null once it was reported. */
    content: text("content"),
    /** The outcome of a reported file, as JSON. */
    result: text("result"),
    sourceId: whole("source_id"),
  }),

  /** How an organization's files are read, by their headings, and which lines names belong to. */
  uploadMemory: table("upload_memory", {
    organizationId: whole("organization_id").notNull(),
    kind: text("kind", { enum: ["reading", "line"] }).notNull(),
    name: text("name").notNull(),
    meaning: text("meaning").notNull(),
  }),
})
