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
