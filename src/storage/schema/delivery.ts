import { SOURCE_KINDS } from "../../domain/delivery/delivery.ts"
import type { LineTables } from "./campaigns.ts"
import type { Kit } from "./kit.ts"

export function sourceTables(
  { idOf, index, real, rowId, table, text, uniqueIndex, whole }: Kit,
  { organization, packageLine }: LineTables,
) {
  const ingestKey = table(
    "ingest_key",
    {
      forgets: "terms",
      rows: "few",
      exported: "csv and json",
      hidden: ["fingerprint"],
      knownBy: ["label"],
      ends: { knownBy: "fingerprint", at: "revokedAt" },
      keepsOrganization: "organizationId",
    },
    {
      id: text().primaryKey(),
      organizationId: idOf("organization_id", () => organization.id),
      label: text().notNull(),
      prefix: text().notNull().unique(),
      fingerprint: text().notNull().unique(),
      createdAt: whole("created_at").notNull(),
      lastUsedAt: whole("last_used_at"),
      revokedAt: whole("revoked_at"),
    },
    (columns) => [index("ingest_key_organization").on(columns.organizationId)],
  )

  const deliverySource = table(
    "delivery_source",
    { forgets: "terms", rows: "few", exported: "json", hidden: [], knownBy: ["kind", "reference", "detail"] },
    {
      id: rowId(),
      kind: text({ enum: SOURCE_KINDS }).notNull(),
      // The key's id, or the person's.
      reference: text().notNull(),
      // The file's name, where there is a file.
      detail: text().notNull().default(""),
    },
    (columns) => [uniqueIndex("delivery_source_identity").on(columns.kind, columns.reference, columns.detail)],
  )

  // Reports that were withdrawn. They are moved here, so that whatever reads the history of a line reads only what counts, and the same
  // total can be reported again.
  const withdrawnReport = table(
    "withdrawn_report",
    { forgets: "terms", rows: "many", exported: "csv and json", hidden: [] },
    {
      id: rowId(),
      lineId: idOf("line_id", () => packageLine.id),
      asOf: whole("as_of").notNull(),
      quantity: real().notNull(),
      receivedAt: whole("received_at").notNull(),
      sourceId: idOf("source_id", () => deliverySource.id),
      withdrawnAt: whole("withdrawn_at").notNull(),
      // Who: "user:12" or "command", as in the audit trail.
      withdrawnBy: text("withdrawn_by").notNull(),
      reason: text().notNull(),
    },
    // A line's history shows them in the order in which they were received.
    (columns) => [
      index("withdrawn_report_line").on(columns.lineId, columns.receivedAt, columns.id),
      // For the check of its foreign key.
      index("withdrawn_report_source").on(columns.sourceId),
    ],
  )

  return { ingestKey, deliverySource, withdrawnReport }
}

export function totalTables({ primaryKey, real, table, text, whole }: Kit, { packageLine }: LineTables) {
  const deliveryReport = table(
    "delivery_report",
    { forgets: "terms", rows: "endless", exported: "csv and json", hidden: [], isStoredByKey: true },
    {
      asOf: whole("as_of").notNull(),
      // No foreign keys here: the line exists because its total refers to it, and sources are never deleted. Checking both for
      // every item would add a sixth to its cost.
      lineId: whole("line_id").notNull(),
      // Impressions or downloads; 1 for a flat-rate line that is delivered.
      quantity: real().notNull(),
      receivedAt: whole("received_at").notNull(),
      sourceId: whole("source_id").notNull(),
    },
    // Of a line and moment the report that was received last counts: see `receivedAfter`. Time comes first, so that today's reports are
    // stored side by side, however long the history grows: an index by line would write another page for every item. The reports of a line
    // are read a day at a time, on the days that delivery_day names.
    (columns) => [primaryKey({ columns: [columns.asOf, columns.lineId, columns.receivedAt] })],
  )

  const deliveryTotal = table(
    "delivery_total",
    { forgets: "terms", rows: "many", exported: "csv and json", hidden: [] },
    {
      lineId: whole("line_id")
        .primaryKey()
        .references(() => packageLine.id),
      // The report that is the current total: with the line, this is its key.
      asOf: whole("as_of").notNull(),
      quantity: real().notNull(),
    },
  )

  // Each day in the seller's time zone on which a line has a report: the last total and the lowest. Written with every report; see
  // line-day.ts in domain/delivery. The day comes first, and there are no foreign keys, for the same reasons as above.
  const deliveryDay = table(
    "delivery_day",
    { forgets: "nothing", rows: "endless", exported: "csv and json", hidden: [], isStoredByKey: true },
    {
      day: text().notNull(),
      lineId: whole("line_id").notNull(),
      asOf: whole("as_of").notNull(),
      quantity: real().notNull(),
      // Null: written by an earlier version, and not worked out again yet.
      low: real(),
    },
    (columns) => [primaryKey({ columns: [columns.day, columns.lineId] })],
  )

  // The rows in delivery_day of these sellers do not fit their reports, because of another time zone or an upgrade: whoever reads days works
  // them out from the reports meanwhile. Upkeep replaces the rows a day at a time, from the last one back, with `before` as its bookmark, and
  // then removes the seller from here.
  // No foreign key: what is left of an organization that was removed is nothing to do.
  const outdatedDays = table(
    "outdated_days",
    { forgets: "nothing", rows: "few", exported: "csv and json", hidden: [], isStoredByKey: true },
    {
      organizationId: whole("organization_id").primaryKey(),
      before: text(),
    },
  )

  return { deliveryReport, deliveryTotal, deliveryDay, outdatedDays }
}

export function affiliateTables(
  { idOf, index, primaryKey, rowId, table, text, uniqueIndex, whole }: Kit,
  { organization, packageLine }: LineTables,
) {
  const affiliateCode = table(
    "affiliate_code",
    {
      forgets: "terms",
      rows: "many",
      exported: "csv and json",
      hidden: [],
      knownBy: ["code"],
      keepsOrganization: "organizationId",
    },
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
    { forgets: "terms", rows: "many", exported: "json", hidden: [], isStoredByKey: true },
    {
      lineId: idOf("line_id", () => packageLine.id),
      // No foreign key: with one, every change to a code would look for it here. The step that deletes a code deletes these first.
      codeId: whole("code_id").notNull(),
    },
    (columns) => [
      primaryKey({ columns: [columns.lineId, columns.codeId] }),
      index("affiliate_placement_code").on(columns.codeId),
    ],
  )

  const affiliateMetric = table(
    "affiliate_metric",
    { forgets: "terms", rows: "endless", exported: "csv and json", hidden: [], isStoredByKey: true },
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
