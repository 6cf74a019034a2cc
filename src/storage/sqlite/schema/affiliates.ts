import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { packageLine } from "./campaigns.ts"
import { organization } from "./people.ts"

export const affiliateCode = sqliteTable(
  "affiliate_code",
  {
    id: integer().primaryKey(),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id),
    code: text().notNull(),
    lineId: integer("line_id")
      .notNull()
      .references(() => packageLine.id),
    slug: text(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("affiliate_code_identity").on(table.organizationId, table.code),
    index("affiliate_code_line").on(table.lineId),
  ],
)

// Every line that a code has ever pointed to. Figures stay with the line that the code pointed to on the day of the first report.
export const affiliatePlacement = sqliteTable(
  "affiliate_placement",
  {
    lineId: integer("line_id")
      .notNull()
      .references(() => packageLine.id),
    // No foreign key: codes are never deleted, and with one every change to a code would look for it here.
    codeId: integer("code_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lineId, table.codeId] }),
    index("affiliate_placement_code").on(table.codeId),
  ],
)

export const affiliateMetric = sqliteTable(
  "affiliate_metric",
  {
    codeId: integer("code_id")
      .notNull()
      .references(() => affiliateCode.id),
    date: text().notNull(),
    // The line that the code pointed to when the day was first reported: its seller and buyer see the figures. 0 means no line and
    // occurs only until a migration has filled it in.
    lineId: integer("line_id").notNull().default(0),
    clicks: integer(),
    conversions: integer(),
    // Millionths of the currency unit, so that sums are exact.
    valueMicros: integer("value_micros"),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.codeId, table.date] })],
)
