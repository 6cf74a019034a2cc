import type { Kit } from "./kit.ts"

export const catalogueTables = ({ table, text, whole, id, json }: Kit) => ({
  buyerKey: table("buyer_key", {
    /** Eight random characters. Order links name the key by it. */
    id: text("id").primaryKey(),
    label: text("label").notNull(),
    prefix: text("prefix").notNull(),
    fingerprint: text("fingerprint").notNull(),
    createdAt: whole("created_at").notNull(),
    lastUsedAt: whole("last_used_at"),
    revokedAt: whole("revoked_at"),
    /** The organization that the key acts for. Null if it acts for none. */
    buyerId: whole("buyer_id"),
  }),

  product: table("product", {
    productId: text("product_id").primaryKey(),
    /** The AdCP product as JSON. It was checked when it was saved. */
    body: text("body").notNull(),
    /** The organization that sells it. Null if it isn't known. */
    sellerId: whole("seller_id"),
    createdAt: whole("created_at").notNull(),
    updatedAt: whole("updated_at").notNull(),
  }),

  creativeFormat: table("creative_format", {
    formatId: text("format_id").primaryKey(),
    /** The AdCP format as JSON. Null hides the built-in format with this ID. */
    body: text("body"),
    createdAt: whole("created_at").notNull(),
    updatedAt: whole("updated_at").notNull(),
  }),

  /** A product that is shown to a buyer key. */
  opening: table("opening", {
    buyerKeyId: text("buyer_key_id").notNull(),
    productId: text("product_id").notNull(),
    /** ISO 3166-1 alpha-2 codes, or ["*"] for everywhere. */
    territories: json<string[]>("territories").notNull(),
  }),

  /** Counts changes, so that a server notices what another one changed. Triggers in the migrations raise it. */
  revision: table("revision", {
    name: text("name", { enum: ["catalogue"] }).primaryKey(),
    number: whole("number").notNull(),
  }),

  agentCall: table("agent_call", {
    id: id(),
    at: whole("at").notNull(),
    buyerKeyId: text("buyer_key_id"),
    address: text("address"),
    method: text("method").notNull(),
    tool: text("tool"),
    /** As JSON, with secrets masked. */
    arguments: text("arguments"),
    outcome: text("outcome").notNull(),
    durationMicros: whole("duration_micros").notNull(),
    /** For `get_products`: the brief, what it names, and how many products were found. */
    brief: text("brief"),
    channels: json<string[]>("channels"),
    countries: json<string[]>("countries"),
    matched: whole("matched"),
  }),
})
