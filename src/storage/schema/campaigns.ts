import { BASES } from "../../domain/campaign/pricing-basis.ts"
import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export type CampaignTables = PeopleTables & ReturnType<typeof campaignTables>
export type LineTables = CampaignTables & ReturnType<typeof lineTables>

export function campaignTables({ idOf, index, rowId, table, text, whole }: Kit, { organization }: PeopleTables) {
  const campaign = table(
    "campaign",
    {
      forgets: "terms",
      rows: "many",
      exported: "csv and json",
      hidden: [],
      knownBy: ["slug"],
      keepsOrganization: "buyerId",
    },
    {
      id: rowId(),
      slug: text().notNull().unique(),
      name: text().notNull(),
      buyerId: idOf("buyer_id", () => organization.id),
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
      forgets: "nothing",
      rows: "few",
      exported: "csv and json",
      hidden: ["tokenHash"],
      ends: { knownBy: "tokenHash", at: "revokedAt" },
      keepsOrganization: "organizationId",
    },
    {
      id: rowId(),
      tokenHash: text("token_hash").notNull().unique(),
      campaignId: idOf("campaign_id", () => campaign.id),
      // The seller that shares: the page shows this seller's lines only.
      organizationId: idOf("organization_id", () => organization.id),
      label: text().notNull(),
      createdAt: whole("created_at").notNull(),
      expiresAt: whole("expires_at").notNull(),
      revokedAt: whole("revoked_at"),
    },
    (columns) => [index("share_link_campaign").on(columns.campaignId)],
  )

  return { campaign, shareLink }
}

export function lineTables(
  { idOf, index, onlyPostgres, real, rowId, table, text, uniqueIndex, whole }: Kit,
  { organization, campaign }: CampaignTables,
) {
  const packageLine = table(
    "package_line",
    {
      forgets: "terms",
      rows: "many",
      exported: "csv and json",
      hidden: [],
      knownBy: ["packageId"],
      keepsOrganization: "sellerId",
    },
    {
      id: rowId(),
      // Kept in lower case: package ids are compared without regard to letter case.
      packageId: text("package_id").notNull().unique(),
      campaignId: idOf("campaign_id", () => campaign.id),
      sellerId: idOf("seller_id", () => organization.id),
      name: text().notNull(),
      pricingBasis: text("pricing_basis", { enum: BASES }).notNull(),
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
    ({ campaignId, sellerId, archived, flightStart, flightEnd, name, id, externalId }) => [
      index("package_line_campaign").on(campaignId, archived, flightStart, name, ...onlyPostgres(id)),
      index("package_line_campaign_seller").on(campaignId, sellerId, archived, flightStart, name, ...onlyPostgres(id)),
      // Which campaigns a seller has is read from the index alone.
      index("package_line_seller").on(sellerId, ...onlyPostgres(campaignId)),
      // What a seller has running now: lines that ended long ago are never read.
      index("package_line_running").on(sellerId, archived, flightEnd, ...onlyPostgres(id)),
      uniqueIndex("package_line_external").on(sellerId, externalId),
    ],
  )

  return { packageLine }
}
