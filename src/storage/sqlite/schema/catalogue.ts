import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"

export const agentKey = sqliteTable(
  "agent_key",
  {
    id: text().primaryKey(),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  // The import file names agent keys by label, so a label means one active key.
  (table) => [uniqueIndex("agent_key_label").on(table.label).where(sql`revoked_at IS NULL`)],
)

export const product = sqliteTable("product", {
  productId: text("product_id").primaryKey(),
  // The AdCP product as JSON, checked by the domain before it is written.
  body: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
})

export const creativeFormat = sqliteTable("creative_format", {
  formatId: text("format_id").primaryKey(),
  // The AdCP format as JSON; null hides the built-in format of this id.
  body: text(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
})

export const opening = sqliteTable(
  "opening",
  {
    agentKeyId: text("agent_key_id")
      .notNull()
      .references(() => agentKey.id, { onDelete: "cascade" }),
    productId: text("product_id")
      .notNull()
      .references(() => product.productId, { onDelete: "cascade" }),
    // A JSON array of ISO 3166-1 alpha-2 codes, or ["*"] for everywhere.
    territories: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentKeyId, table.productId] }),
    index("opening_product").on(table.productId),
  ],
)
