import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core"
import { packageLine } from "./campaigns.ts"
import { rowId, whole } from "./columns.ts"
import { organization } from "./people.ts"

export const affiliateCode = pgTable(
  "affiliate_code",
  {
    id: rowId(),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id),
    code: text().notNull(),
    lineId: whole("line_id")
      .notNull()
      .references(() => packageLine.id),
    slug: text(),
    updatedAt: whole("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("affiliate_code_identity").on(table.organizationId, table.code),
    index("affiliate_code_line").on(table.lineId),
  ],
)

export const affiliatePlacement = pgTable(
  "affiliate_placement",
  {
    lineId: whole("line_id")
      .notNull()
      .references(() => packageLine.id),
    codeId: whole("code_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lineId, table.codeId] }),
    index("affiliate_placement_code").on(table.codeId),
  ],
)

export const affiliateMetric = pgTable(
  "affiliate_metric",
  {
    codeId: whole("code_id")
      .notNull()
      .references(() => affiliateCode.id),
    date: text().notNull(),
    lineId: whole("line_id").notNull().default(0),
    clicks: whole(),
    conversions: whole(),
    valueMicros: whole("value_micros"),
    updatedAt: whole("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.codeId, table.date] })],
)
