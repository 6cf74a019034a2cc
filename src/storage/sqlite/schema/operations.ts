import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { organization } from "./people.ts"

export const auditEntry = sqliteTable(
  "audit_entry",
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    // Who: "user:12", "command", "import", "setup".
    actor: text().notNull(),
    // What, as verb and noun: "revoke ingest_key".
    action: text().notNull(),
    subject: text().notNull(),
    organizationId: integer("organization_id").references(() => organization.id),
    details: text(),
  },
  (table) => [index("audit_entry_at").on(table.at), index("audit_entry_action").on(table.action)],
)

export const setting = sqliteTable("setting", {
  name: text().primaryKey(),
  value: text().notNull(),
})
