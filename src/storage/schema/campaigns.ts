import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export type CampaignTables = ReturnType<typeof campaignTables>

export function campaignTables(kit: Kit, people: PeopleTables) {
  const campaigns = bookingTables(kit, people)
  return { ...campaigns, ...lineTables(kit, { ...people, ...campaigns }) }
}

function bookingTables({ index, rowId, table, text, whole }: Kit, { organization }: PeopleTables) {
  const campaign = table(
    "campaign",
    {
      id: rowId(),
      slug: text().notNull().unique(),
      name: text().notNull(),
      buyerId: whole("buyer_id")
        .notNull()
        .references(() => organization.id),
      createdAt: whole("created_at").notNull(),
      // Lists leave archived ones out unless asked.
      archived: whole().notNull().default(0),
    },
    (columns) => [
      index("campaign_buyer").on(columns.buyerId),
      // Lists show the newest first, and read no more than they show.
      index("campaign_newest").on(columns.createdAt, columns.id),
    ],
  )

  const shareLink = table(
    "share_link",
    {
      id: rowId(),
      tokenHash: text("token_hash").notNull().unique(),
      campaignId: whole("campaign_id")
        .notNull()
        .references(() => campaign.id),
      // The seller that shares: the page shows this seller's lines only.
      organizationId: whole("organization_id")
        .notNull()
        .references(() => organization.id),
      label: text().notNull(),
      createdAt: whole("created_at").notNull(),
      expiresAt: whole("expires_at").notNull(),
      revokedAt: whole("revoked_at"),
    },
    (columns) => [index("share_link_campaign").on(columns.campaignId)],
  )

  return { campaign, shareLink }
}

function lineTables(
  { onlyPostgres, index, real, rowId, table, text, uniqueIndex, whole }: Kit,
  { organization, campaign }: PeopleTables & ReturnType<typeof bookingTables>,
) {
  const packageLine = table(
    "package_line",
    {
      id: rowId(),
      // Kept in lower case: package ids are compared without regard to letter case.
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
      booked: real(),
      rate: real(),
      currency: text(),
      createdAt: whole("created_at").notNull(),
      // The seller's own id of the line, in its ad server for example.
      externalId: text("external_id"),
      archived: whole().notNull().default(0),
    },
    // In the order in which a campaign shows its lines: to its buyer all of them, to a seller its own.
    (columns) => [
      index("package_line_campaign").on(
        columns.campaignId,
        columns.archived,
        columns.flightStart,
        columns.name,
        ...onlyPostgres(columns.id),
      ),
      index("package_line_campaign_seller").on(
        columns.campaignId,
        columns.sellerId,
        columns.archived,
        columns.flightStart,
        columns.name,
        ...onlyPostgres(columns.id),
      ),
      // Which campaigns a seller has is read from the index alone.
      index("package_line_seller").on(columns.sellerId, ...onlyPostgres(columns.campaignId)),
      // What a seller has running now: lines that ended long ago are never read.
      index("package_line_running").on(
        columns.sellerId,
        columns.archived,
        columns.flightEnd,
        ...onlyPostgres(columns.id),
      ),
      uniqueIndex("package_line_external").on(columns.sellerId, columns.externalId),
    ],
  )

  return { packageLine }
}
