import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { organization } from "./people.ts"

export const campaign = sqliteTable(
  "campaign",
  {
    id: integer().primaryKey(),
    slug: text().notNull().unique(),
    name: text().notNull(),
    buyerId: integer("buyer_id")
      .notNull()
      .references(() => organization.id),
    createdAt: integer("created_at").notNull(),
    // Lists leave archived ones out unless asked.
    archived: integer().notNull().default(0),
  },
  (table) => [
    index("campaign_buyer").on(table.buyerId),
    // Lists show the newest first, and read no more than they show.
    index("campaign_newest").on(table.createdAt, table.id),
  ],
)

export const packageLine = sqliteTable(
  "package_line",
  {
    id: integer().primaryKey(),
    // Kept in lower case: package ids are compared without regard to letter case.
    packageId: text("package_id").notNull().unique(),
    campaignId: integer("campaign_id")
      .notNull()
      .references(() => campaign.id),
    sellerId: integer("seller_id")
      .notNull()
      .references(() => organization.id),
    name: text().notNull(),
    pricingBasis: text("pricing_basis", { enum: ["impressions", "downloads", "flat_rate"] }).notNull(),
    flightStart: text("flight_start").notNull(),
    flightEnd: text("flight_end"),
    booked: real(),
    rate: real(),
    currency: text(),
    createdAt: integer("created_at").notNull(),
    // The seller's own id of the line, in its ad server for example.
    externalId: text("external_id"),
    archived: integer().notNull().default(0),
  },
  // In the order in which a campaign shows its lines: to its buyer all of them, to a seller its own.
  (table) => [
    index("package_line_campaign").on(table.campaignId, table.archived, table.flightStart, table.name),
    index("package_line_campaign_seller").on(
      table.campaignId,
      table.sellerId,
      table.archived,
      table.flightStart,
      table.name,
    ),
    index("package_line_seller").on(table.sellerId),
    // What a seller has running now: lines that ended long ago are never read.
    index("package_line_running").on(table.sellerId, table.archived, table.flightEnd),
    uniqueIndex("package_line_external").on(table.sellerId, table.externalId),
  ],
)

export const shareLink = sqliteTable(
  "share_link",
  {
    id: integer().primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    campaignId: integer("campaign_id")
      .notNull()
      .references(() => campaign.id),
    // The seller that shares: the page shows this seller's lines only.
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id),
    label: text().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("share_link_campaign").on(table.campaignId)],
)
