import {
  ORDER_STATES,
  type OrderedProduct,
  type OrderTerms,
  type Requester,
  STATEMENT_STATES,
} from "../../domain/sale/order.ts"
import type { StatementBody } from "../../domain/sale/statement.ts"
import type { Kit } from "./kit.ts"

export const saleTables = ({ table, text, whole, id, json }: Kit) => ({
  order: table("sale_order", {
    id: text("id").primaryKey(),
    /** Hashes of the code in the address of its own page, and of the link that it came by. */
    codeHash: text("code_hash").notNull(),
    linkHash: text("link_hash").notNull(),
    buyerKeyId: text("buyer_key_id").notNull(),
    productId: text("product_id").notNull(),
    state: text("state", { enum: ORDER_STATES }).notNull(),
    askedAt: whole("asked_at").notNull(),
    movedAt: whole("moved_at").notNull(),
    /** Who made the last move: "user:12" or "requester". */
    movedBy: text("moved_by").notNull(),
    /** The product as it was shown, who asks, and the terms. */
    product: json<OrderedProduct>("product").notNull(),
    requester: json<Requester>("requester").notNull(),
    terms: json<OrderTerms>("terms").notNull(),
    /** What the seller said when declining. */
    message: text("message").notNull().default(""),
    sellerId: whole("seller_id"),
    /** Its line, once it was accepted. */
    packageId: text("package_id"),
  }),

  statement: table("statement", {
    id: id(),
    sellerId: whole("seller_id").notNull(),
    buyerId: whole("buyer_id").notNull(),
    /** It covers everything delivered through this day that earlier statements didn't. */
    through: text("through").notNull(),
    /** Counted for each seller and year: "2026-014". */
    number: text("number").notNull(),
    state: text("state", { enum: STATEMENT_STATES }).notNull(),
    frozenAt: whole("frozen_at").notNull(),
    frozenBy: text("frozen_by").notNull(),
    paidOn: text("paid_on"),
    /** What is printed. It never changes. */
    body: json<StatementBody>("body").notNull(),
  }),

  /** The amount of a statement for one line, so that later statements can subtract it. */
  statementLine: table("statement_line", {
    statementId: whole("statement_id").notNull(),
    lineId: whole("line_id").notNull(),
    currency: text("currency").notNull(),
    /** In the smallest coin of the currency. */
    coins: whole("coins").notNull(),
  }),
})
