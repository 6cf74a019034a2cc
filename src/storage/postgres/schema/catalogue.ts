import { sql } from "drizzle-orm"
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core"
import { whole } from "./columns.ts"

export const agentKey = pgTable(
  "agent_key",
  {
    id: text().primaryKey(),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: whole("created_at").notNull(),
    lastUsedAt: whole("last_used_at"),
    revokedAt: whole("revoked_at"),
  },
  (table) => [uniqueIndex("agent_key_label").on(table.label).where(sql`revoked_at IS NULL`)],
)

export const product = pgTable("product", {
  productId: text("product_id").primaryKey(),
  body: text().notNull(),
  createdAt: whole("created_at").notNull(),
  updatedAt: whole("updated_at").notNull(),
})

export const creativeFormat = pgTable("creative_format", {
  formatId: text("format_id").primaryKey(),
  body: text(),
  createdAt: whole("created_at").notNull(),
  updatedAt: whole("updated_at").notNull(),
})

export const opening = pgTable(
  "opening",
  {
    agentKeyId: text("agent_key_id")
      .notNull()
      .references(() => agentKey.id, { onDelete: "cascade" }),
    productId: text("product_id")
      .notNull()
      .references(() => product.productId, { onDelete: "cascade" }),
    territories: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentKeyId, table.productId] }),
    index("opening_product").on(table.productId),
  ],
)
