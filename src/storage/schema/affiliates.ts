import type { CampaignTables } from "./campaigns.ts"
import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export function affiliateTables(
  { idOf, index, primaryKey, rowId, table, text, uniqueIndex, whole }: Kit,
  { organization, packageLine }: CampaignTables & PeopleTables,
) {
  const affiliateCode = table(
    "affiliate_code",
    {
      id: rowId(),
      organizationId: idOf("organization_id", () => organization.id),
      code: text().notNull(),
      lineId: idOf("line_id", () => packageLine.id),
      slug: text(),
      updatedAt: whole("updated_at").notNull(),
    },
    (columns) => [
      uniqueIndex("affiliate_code_identity").on(columns.organizationId, columns.code),
      index("affiliate_code_line").on(columns.lineId),
    ],
  )

  // Every line that a code has ever pointed to. Figures stay with the line that the code pointed to on the day of the first report.
  const affiliatePlacement = table(
    "affiliate_placement",
    {
      lineId: idOf("line_id", () => packageLine.id),
      // No foreign key: with one, every change to a code would look for it here. Whoever deletes a code deletes these first.
      codeId: whole("code_id").notNull(),
    },
    (columns) => [
      primaryKey({ columns: [columns.lineId, columns.codeId] }),
      index("affiliate_placement_code").on(columns.codeId),
    ],
  )

  const affiliateMetric = table(
    "affiliate_metric",
    {
      codeId: idOf("code_id", () => affiliateCode.id),
      date: text().notNull(),
      // The line that the code pointed to when the day was first reported: its seller and buyer see the figures. 0 means no line and
      // occurs only until a migration has filled it in.
      lineId: whole("line_id").notNull().default(0),
      clicks: whole(),
      conversions: whole(),
      // Millionths of the currency unit, so that sums are exact.
      valueMicros: whole("value_micros"),
      updatedAt: whole("updated_at").notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.codeId, columns.date] })],
  )
  return { affiliateCode, affiliatePlacement, affiliateMetric }
}
