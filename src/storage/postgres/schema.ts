import { sql } from "drizzle-orm"
import { bigint, doublePrecision, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core"

// The same tables, columns and values as in SQLite, so that copying is copying: moments are microseconds since 1970 (UTC), dates are
// YYYY-MM-DD, flags are 0 or 1, JSON is text. What a table is for is said beside it in ../sqlite/schema.ts; here is only what
// differs. scripts/migrations.ts makes every text COLLATE "C": compared byte by byte, as in SQLite, whatever the server's language.

/** A whole number up to 2^53, read as a number. */
const whole = (name?: string) => (name === undefined ? bigint({ mode: "number" }) : bigint(name, { mode: "number" }))
const rowId = () => whole().primaryKey().generatedByDefaultAsIdentity()

export const organization = pgTable("organization", {
  id: rowId(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  timeZone: text("time_zone").notNull().default("UTC"),
  createdAt: whole("created_at").notNull(),
})

export const user = pgTable("user", {
  id: rowId(),
  email: text().notNull().unique(),
  name: text().notNull(),
  isOperator: whole("is_operator").notNull().default(0),
  passwordHash: text("password_hash"),
  totpSecret: text("totp_secret"),
  totpStep: whole("totp_step"),
  createdAt: whole("created_at").notNull(),
})

export const membership = pgTable(
  "membership",
  {
    userId: whole("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    role: text({ enum: ["admin", "member"] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index("membership_organization").on(table.organizationId),
  ],
)

export const session = pgTable(
  "session",
  {
    id: rowId(),
    tokenHash: text("token_hash").notNull().unique(),
    userId: whole("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    userAgent: text("user_agent"),
    address: text(),
  },
  (table) => [index("session_user").on(table.userId)],
)

export const recoveryCode = pgTable(
  "recovery_code",
  {
    userId: whole("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

export const oneTimeLink = pgTable("one_time_link", {
  id: rowId(),
  tokenHash: text("token_hash").notNull().unique(),
  purpose: text({ enum: ["setup", "password", "second_factor"] }).notNull(),
  userId: whole("user_id").references(() => user.id, { onDelete: "cascade" }),
  createdAt: whole("created_at").notNull(),
  expiresAt: whole("expires_at").notNull(),
  claimedAt: whole("claimed_at"),
})

export const invitation = pgTable(
  "invitation",
  {
    id: rowId(),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: ["admin", "member"] }).notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
  },
  (table) => [uniqueIndex("invitation_person").on(table.organizationId, table.email)],
)

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
    uniqueIndex("package_line_external").on(table.sellerId, table.externalId),
  ],
)

export const ingestKey = pgTable(
  "ingest_key",
  {
    id: text().primaryKey(),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: whole("created_at").notNull(),
    lastUsedAt: whole("last_used_at"),
    revokedAt: whole("revoked_at"),
  },
  (table) => [index("ingest_key_organization").on(table.organizationId)],
)

export const agentKey = pgTable(
  "agent_key",
  {
    id: text().primaryKey(),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: whole("created_at").notNull(),
    lastUsedAt: whole("last_used_at"),
    revokedAt: whole("revoked_at"),
  },
  (table) => [uniqueIndex("agent_key_label").on(table.label).where(sql`revoked_at IS NULL`)],
)

export const product = pgTable("product", {
  productId: text("product_id").primaryKey(),
  body: text().notNull(),
  createdAt: whole("created_at").notNull(),
  updatedAt: whole("updated_at").notNull(),
})

export const creativeFormat = pgTable("creative_format", {
  formatId: text("format_id").primaryKey(),
  body: text(),
  createdAt: whole("created_at").notNull(),
  updatedAt: whole("updated_at").notNull(),
})

export const opening = pgTable(
  "opening",
  {
    agentKeyId: text("agent_key_id")
      .notNull()
      .references(() => agentKey.id, { onDelete: "cascade" }),
    productId: text("product_id")
      .notNull()
      .references(() => product.productId, { onDelete: "cascade" }),
    territories: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentKeyId, table.productId] }),
    index("opening_product").on(table.productId),
  ],
)

export const deliverySource = pgTable(
  "delivery_source",
  {
    id: rowId(),
    kind: text({ enum: ["key", "form", "file", "command"] }).notNull(),
    reference: text().notNull(),
    detail: text().notNull().default(""),
  },
  (table) => [uniqueIndex("delivery_source_identity").on(table.kind, table.reference, table.detail)],
)

export const deliveryReport = pgTable(
  "delivery_report",
  {
    asOf: whole("as_of").notNull(),
    lineId: whole("line_id").notNull(),
    quantity: doublePrecision().notNull(),
    receivedAt: whole("received_at").notNull(),
    sourceId: whole("source_id").notNull(),
    previousAsOf: whole("previous_as_of"),
    previousQuantity: doublePrecision("previous_quantity"),
  },
  (table) => [primaryKey({ columns: [table.asOf, table.lineId, table.quantity] })],
)

export const deliveryTotal = pgTable("delivery_total", {
  lineId: whole("line_id")
    .primaryKey()
    .references(() => packageLine.id),
  asOf: whole("as_of").notNull(),
  quantity: doublePrecision().notNull(),
  lastAsOf: whole("last_as_of").notNull(),
  lastQuantity: doublePrecision("last_quantity").notNull(),
})

export const withdrawnReport = pgTable(
  "withdrawn_report",
  {
    id: rowId(),
    lineId: whole("line_id")
      .notNull()
      .references(() => packageLine.id),
    asOf: whole("as_of").notNull(),
    quantity: doublePrecision().notNull(),
    receivedAt: whole("received_at").notNull(),
    sourceId: whole("source_id")
      .notNull()
      .references(() => deliverySource.id),
    withdrawnAt: whole("withdrawn_at").notNull(),
    withdrawnBy: text("withdrawn_by").notNull(),
    reason: text().notNull(),
  },
  (table) => [index("withdrawn_report_line").on(table.lineId, table.receivedAt, table.id)],
)

export const affiliateCode = pgTable(
  "affiliate_code",
  {
    id: rowId(),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id),
    code: text().notNull(),
    lineId: whole("line_id")
      .notNull()
      .references(() => packageLine.id),
    slug: text(),
    updatedAt: whole("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("affiliate_code_identity").on(table.organizationId, table.code),
    index("affiliate_code_line").on(table.lineId),
  ],
)

export const affiliatePlacement = pgTable(
  "affiliate_placement",
  {
    lineId: whole("line_id")
      .notNull()
      .references(() => packageLine.id),
    codeId: whole("code_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lineId, table.codeId] }),
    index("affiliate_placement_code").on(table.codeId),
  ],
)

export const affiliateMetric = pgTable(
  "affiliate_metric",
  {
    codeId: whole("code_id")
      .notNull()
      .references(() => affiliateCode.id),
    date: text().notNull(),
    lineId: whole("line_id").notNull().default(0),
    clicks: whole(),
    conversions: whole(),
    valueMicros: whole("value_micros"),
    updatedAt: whole("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.codeId, table.date] })],
)

const CALL_TEXT_BYTES =
  "octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + 120"
const CALL_BYTES = `CASE WHEN ${CALL_TEXT_BYTES} <= 2000 THEN ${CALL_TEXT_BYTES} ELSE (${CALL_TEXT_BYTES} + 4091) / 4092 * 4096 END`

export const agentCall = pgTable(
  "agent_call",
  {
    id: rowId(),
    at: whole().notNull(),
    agentKeyId: text("agent_key_id"),
    address: text(),
    method: text().notNull(),
    tool: text(),
    arguments: text(),
    outcome: text().notNull(),
    durationMicros: whole("duration_micros").notNull(),
    bytes: whole().generatedAlwaysAs(sql.raw(CALL_BYTES)),
  },
  (table) => [index("agent_call_at").on(table.at)],
)

export const agentCallSize = pgTable("agent_call_size", {
  id: whole().primaryKey(),
  rows: whole().notNull(),
  bytes: whole().notNull(),
})

export const refusal = pgTable(
  "refusal",
  {
    hour: whole().notNull(),
    door: text().notNull(),
    status: whole().notNull(),
    requests: whole().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.door, table.status] })],
)

export const feedCount = pgTable(
  "feed_count",
  {
    ingestKeyId: text("ingest_key_id").notNull(),
    hour: whole().notNull(),
    feed: text().notNull(),
    unit: text().notNull(),
    outcome: text().notNull(),
    count: whole().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ingestKeyId, table.hour, table.feed, table.unit, table.outcome] }),
    index("feed_count_hour").on(table.hour),
  ],
)

export const feedLastRequest = pgTable("feed_last_request", {
  ingestKeyId: text("ingest_key_id").primaryKey(),
  at: whole().notNull(),
  feed: text().notNull(),
  outcome: text().notNull(),
  accepted: whole().notNull(),
  rejected: whole().notNull(),
})

export const rejectedItem = pgTable(
  "rejected_item",
  {
    id: rowId(),
    organizationId: whole("organization_id").notNull(),
    ingestKeyId: text("ingest_key_id").notNull(),
    at: whole().notNull(),
    feed: text().notNull(),
    reason: text().notNull(),
    message: text().notNull(),
    packageId: text("package_id"),
    code: text(),
    sent: text().notNull(),
    more: whole().notNull(),
  },
  (table) => [
    index("rejected_item_organization").on(table.organizationId, table.id),
    index("rejected_item_key").on(table.ingestKeyId, table.at, table.id, table.reason, table.organizationId),
    index("rejected_item_at").on(table.at),
  ],
)

export const demandCount = pgTable(
  "demand_count",
  {
    week: text().notNull(),
    kind: text().notNull(),
    value: text().notNull(),
    calls: whole().notNull(),
    unmatched: whole().notNull(),
  },
  (table) => [primaryKey({ columns: [table.week, table.kind, table.value] })],
)

export const demandBrief = pgTable(
  "demand_brief",
  {
    week: text().notNull(),
    digest: text().notNull(),
    brief: text().notNull(),
    countries: text().notNull(),
    formats: text().notNull(),
    budget: doublePrecision(),
    currency: text(),
    agentKeyId: text("agent_key_id"),
    asked: whole().notNull(),
    matched: whole().notNull(),
    unmatched: whole().notNull(),
    firstProduct: text("first_product"),
    lastAt: whole("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.week, table.digest] }),
    index("demand_brief_order").on(table.unmatched, table.week, table.asked, table.digest),
  ],
)

export const auditEntry = pgTable(
  "audit_entry",
  {
    id: rowId(),
    at: whole().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    organizationId: whole("organization_id").references(() => organization.id),
    details: text(),
  },
  (table) => [index("audit_entry_at").on(table.at), index("audit_entry_action").on(table.action)],
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

export const setting = pgTable("setting", {
  name: text().primaryKey(),
  value: text().notNull(),
})

// What only PostgreSQL needs: what a single process keeps in memory, for all replicas.

/** One row. Moves on with every change that something in a replica's memory may depend on. */
export const revision = pgTable("revision", {
  id: whole().primaryKey(),
  terms: whole().notNull(),
  catalogue: whole().notNull(),
})

/** When each caller was admitted in the last minute. UNLOGGED: lost in a crash, and written back by the replicas that remember. */
export const rateWindow = pgTable(
  "rate_window",
  {
    // Which limit.
    name: text().notNull(),
    caller: text().notNull(),
    // Oldest first.
    stamps: whole().array().notNull(),
    // Of the last request: how many a minute may have, when it was, and how many of those that came together were admitted.
    capacity: whole().notNull(),
    at: whole().notNull(),
    admitted: whole().notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.caller] })],
)

/** One row, UNLOGGED too: gone when the windows are gone. A new one says from when on callers are admitted again. */
export const rateEpoch = pgTable("rate_epoch", {
  id: whole().primaryKey(),
  epoch: whole().notNull(),
  opensAt: whole("opens_at").notNull(),
})

/** How often signing in failed, by account or address: a fixed number of places, shared by hash. Place -1 holds the seed of the hash. */
export const signInFailure = pgTable("sign_in_failure", {
  place: whole().primaryKey(),
  failures: whole().notNull(),
  lastAt: whole("last_at").notNull(),
})

/** Who does what only one replica may do, and until when nobody else may. */
export const lease = pgTable("lease", {
  name: text().primaryKey(),
  holder: text().notNull(),
  expiresAt: whole("expires_at").notNull(),
})
