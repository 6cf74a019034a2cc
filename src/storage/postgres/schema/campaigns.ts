import { doublePrecision, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core"
import { rowId, whole } from "./columns.ts"
import { organization } from "./people.ts"

export const campaign = pgTable(
  "campaign",
  {
    id: rowId(),
    slug: text().notNull().unique(),
    name: text().notNull(),
    buyerId: whole("buyer_id")
      .notNull()
      .references(() => organization.id),
    createdAt: whole("created_at").notNull(),
    archived: whole().notNull().default(0),
  },
  (table) => [index("campaign_buyer").on(table.buyerId), index("campaign_newest").on(table.createdAt, table.id)],
)

export const packageLine = pgTable(
  "package_line",
  {
    id: rowId(),
    packageId: text("package_id").notNull().unique(),
    campaignId: whole("campaign_id")
      .notNull()
      .references(() => campaign.id),
    sellerId: whole("seller_id")
      .notNull()
      .references(() => organization.id),
    name: text().notNull(),
    pricingBasis: text("pricing_basis", { enum: ["impressions", "downloads", "flat_rate"] }).notNull(),
    flightStart: text("flight_start").notNull(),
    flightEnd: text("flight_end"),
    booked: doublePrecision(),
    rate: doublePrecision(),
    currency: text(),
    createdAt: whole("created_at").notNull(),
    externalId: text("external_id"),
    archived: whole().notNull().default(0),
  },
  // With the id, which an index of SQLite has by itself: lines are read in the order of an index and never sorted. Which campaigns a
  // seller has is read from an index alone.
  (table) => [
    index("package_line_campaign").on(table.campaignId, table.archived, table.flightStart, table.name, table.id),
    index("package_line_campaign_seller").on(
      table.campaignId,
      table.sellerId,
      table.archived,
      table.flightStart,
      table.name,
      table.id,
    ),
    index("package_line_seller").on(table.sellerId, table.campaignId),
    // What a seller has running now: lines that ended long ago are never read.
    index("package_line_running").on(table.sellerId, table.archived, table.flightEnd, table.id),
    uniqueIndex("package_line_external").on(table.sellerId, table.externalId),
  ],
)

export const shareLink = pgTable(
  "share_link",
  {
    id: rowId(),
    tokenHash: text("token_hash").notNull().unique(),
    campaignId: whole("campaign_id")
      .notNull()
      .references(() => campaign.id),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id),
    label: text().notNull(),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    revokedAt: whole("revoked_at"),
  },
  (table) => [index("share_link_campaign").on(table.campaignId)],
)
