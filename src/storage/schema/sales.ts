import type { Booking, OrderedProduct, OrderPrice, OrderTerms } from "../../domain/sale/order.ts"
import { ORDER_STATES } from "../../domain/sale/order.ts"
import type { Requester } from "../../domain/sale/read-order.ts"
import { STATEMENT_STATES } from "../../domain/sale/statement.ts"
import type { CampaignTables } from "./campaigns.ts"
import type { Kit } from "./kit.ts"
import type { PeopleTables } from "./people.ts"

export function orderTables({ index, json, rowId, table, text, whole }: Kit, { organization }: PeopleTables) {
  // Made by hand for one buyer. Links of keys are worked out and stored nowhere.
  const orderLink = table(
    "order_link",
    {
      forgets: "nothing",
      rows: "few",
      exported: "csv and json",
      hidden: ["tokenHash"],
      ends: { knownBy: "tokenHash", at: "endedAt" },
    },
    {
      id: rowId(),
      tokenHash: text("token_hash").notNull().unique(),
      // As in orders, without a reference: what was asked for outlives the product.
      productId: text("product_id").notNull(),
      label: text().notNull(),
      // As those of an opening.
      territories: text().notNull(),
      createdAt: whole("created_at").notNull(),
      expiresAt: whole("expires_at").notNull(),
      endedAt: whole("ended_at"),
    },
  )

  const saleOrder = table(
    "sale_order",
    {
      forgets: "nothing",
      rows: "many",
      exported: "csv and json",
      hidden: ["codeHash", "linkHash"],
      keepsOrganization: "sellerId",
    },
    {
      id: text().primaryKey(),
      // What its own page is found by, and the link that it came by: hashes, which open nothing.
      codeHash: text("code_hash").notNull().unique(),
      linkHash: text("link_hash").notNull(),
      agentKeyId: text("agent_key_id"),
      orderLinkId: whole("order_link_id"),
      productId: text("product_id").notNull(),
      state: text({ enum: ORDER_STATES }).notNull(),
      askedAt: whole("asked_at").notNull(),
      movedAt: whole("moved_at").notNull(),
      // Who made the last move: "user:12", "requester" or "time".
      movedBy: text("moved_by").notNull(),
      // The product as it was shown, who asks, the price it is asked at, the terms that were asked for and offered.
      product: json<OrderedProduct>().notNull(),
      requester: json<Requester>().notNull(),
      priced: json<OrderPrice>().notNull(),
      asked: json<OrderTerms>().notNull(),
      offered: json<OrderTerms>(),
      // What the seller said with its last answer, or either side on declining.
      message: text().notNull().default(""),
      // Who sells it: the product says so, or the seller that answered; and where the line goes if the offer is accepted.
      sellerId: whole("seller_id").references(() => organization.id),
      booking: json<Booking>(),
      // Its line, once it is accepted.
      packageId: text("package_id"),
    },
    ({ state, movedAt, askedAt, linkHash, agentKeyId, packageId }) => [
      index("sale_order_state").on(state, movedAt),
      index("sale_order_asked").on(askedAt),
      index("sale_order_link").on(linkHash, askedAt),
      index("sale_order_key").on(agentKeyId, state),
      index("sale_order_line").on(packageId),
    ],
  )
  return { orderLink, saleOrder }
}

export function statementTables(
  { idOf, index, rowId, table, text, uniqueIndex, whole }: Kit,
  { organization, campaign }: CampaignTables,
) {
  const saleStatement = table(
    "sale_statement",
    { forgets: "nothing", rows: "many", exported: "csv and json", hidden: [], keepsOrganization: "sellerId" },
    {
      id: rowId(),
      sellerId: idOf("seller_id", () => organization.id),
      campaignId: idOf("campaign_id", () => campaign.id),
      // Counted for each seller and year, when it is frozen: 2026-014.
      number: text(),
      state: text({ enum: STATEMENT_STATES }).notNull(),
      createdAt: whole("created_at").notNull(),
      frozenAt: whole("frozen_at"),
      frozenBy: text("frozen_by"),
      paidOn: text("paid_on"),
      // The one in force before it, whether it corrects that or goes on from there.
      corrects: whole(),
      // JSON: what is typed in a draft; what is printed of a frozen one, which never changes.
      body: text().notNull(),
    },
    ({ sellerId, number, campaignId }) => [
      uniqueIndex("sale_statement_number").on(sellerId, number),
      index("sale_statement_campaign").on(campaignId),
    ],
  )
  return { saleStatement }
}
