import { sql } from "drizzle-orm"
import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export function catalogueTables(
  { index, json, primaryKey, table, text, uniqueIndex, whole }: Kit,
  { organization }: PeopleTables,
) {
  const agentKey = table(
    "agent_key",
    {
      forgets: "terms",
      rows: "few",
      exported: "csv and json",
      hidden: ["fingerprint"],
      knownBy: ["label"],
      ends: { knownBy: "fingerprint", at: "revokedAt" },
      keepsOrganization: "buyerId",
      isData: true,
    },
    {
      id: text().primaryKey(),
      label: text().notNull(),
      prefix: text().notNull().unique(),
      fingerprint: text().notNull().unique(),
      createdAt: whole("created_at").notNull(),
      lastUsedAt: whole("last_used_at"),
      revokedAt: whole("revoked_at"),
      // The organization whose purchases it may read; null: none.
      buyerId: whole("buyer_id").references(() => organization.id),
    },
    // The import file names agent keys by label, so a label means one active key.
    (columns) => [uniqueIndex("agent_key_label").on(columns.label).where(sql`revoked_at IS NULL`)],
  )

  const product = table(
    "product",
    {
      forgets: "catalogue",
      rows: "few",
      exported: "csv and json",
      hidden: [],
      keepsOrganization: "sellerId",
      isData: true,
      isStoredByKey: true,
    },
    {
      productId: text("product_id").primaryKey(),
      // The AdCP product as JSON, checked by the domain before it is written.
      body: text().notNull(),
      createdAt: whole("created_at").notNull(),
      updatedAt: whole("updated_at").notNull(),
      // The organization that sells it; null where only one sells, or nobody has said.
      sellerId: whole("seller_id").references(() => organization.id),
    },
    (columns) => [index("product_seller").on(columns.sellerId)],
  )

  const creativeFormat = table(
    "creative_format",
    { forgets: "catalogue", rows: "few", exported: "csv and json", hidden: [], isData: true, isStoredByKey: true },
    {
      formatId: text("format_id").primaryKey(),
      // The AdCP format as JSON; null hides the built-in format of this id.
      body: text(),
      createdAt: whole("created_at").notNull(),
      updatedAt: whole("updated_at").notNull(),
    },
  )

  const opening = table(
    "opening",
    { forgets: "catalogue", rows: "few", exported: "csv and json", hidden: [], isStoredByKey: true },
    {
      agentKeyId: text("agent_key_id")
        .notNull()
        .references(() => agentKey.id, { onDelete: "cascade" }),
      productId: text("product_id")
        .notNull()
        .references(() => product.productId, { onDelete: "cascade" }),
      // A JSON array of ISO 3166-1 alpha-2 codes, or ["*"] for everywhere.
      territories: json<string[]>().notNull(),
    },
    (columns) => [
      primaryKey({ columns: [columns.agentKeyId, columns.productId] }),
      index("opening_product").on(columns.productId),
    ],
  )
  return { agentKey, product, creativeFormat, opening }
}
