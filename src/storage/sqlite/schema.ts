import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"

// The tables of SQLite; test/architecture.test.ts checks that ../postgres/schema.ts has the same. Moments are microseconds since 1970
// (UTC), dates are YYYY-MM-DD, flags are 0 or 1.
// scripts/migrations.ts makes every table STRICT, and WITHOUT ROWID where the primary key is how rows are always found.

export const organization = sqliteTable("organization", {
  id: integer().primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  timeZone: text("time_zone").notNull().default("UTC"),
  createdAt: integer("created_at").notNull(),
})

export const user = sqliteTable("user", {
  id: integer().primaryKey(),
  // Kept in lower case, so that one person has one account however the address is typed.
  email: text().notNull().unique(),
  name: text().notNull(),
  isOperator: integer("is_operator").notNull().default(0),
  passwordHash: text("password_hash"),
  totpSecret: text("totp_secret"),
  // The newest time step whose code was used, so that no code works twice.
  totpStep: integer("totp_step"),
  createdAt: integer("created_at").notNull(),
})

export const membership = sqliteTable(
  "membership",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    role: text({ enum: ["admin", "member"] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index("membership_organization").on(table.organizationId),
  ],
)

export const session = sqliteTable(
  "session",
  {
    id: integer().primaryKey(),
    // Only a hash of the token: a copy of the database signs nobody in.
    tokenHash: text("token_hash").notNull().unique(),
    userId: integer("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    // Where the person signed in, to recognize the session in a list: the browser's own words, and the address.
    userAgent: text("user_agent"),
    address: text(),
  },
  (table) => [index("session_user").on(table.userId)],
)

export const recoveryCode = sqliteTable(
  "recovery_code",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

export const oneTimeLink = sqliteTable("one_time_link", {
  id: integer().primaryKey(),
  tokenHash: text("token_hash").notNull().unique(),
  purpose: text({ enum: ["setup", "password", "second_factor"] }).notNull(),
  // The account that the link is for; null for the link that makes the first operator.
  userId: integer("user_id").references(() => user.id, { onDelete: "cascade" }),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  claimedAt: integer("claimed_at"),
})

// A person whom an organization has invited. The address may or may not have an account, and other organizations cannot affect the
// invitation.
export const invitation = sqliteTable(
  "invitation",
  {
    id: integer().primaryKey(),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    email: text().notNull(),
    // As the inviter wrote it.
    name: text().notNull(),
    role: text({ enum: ["admin", "member"] }).notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [uniqueIndex("invitation_person").on(table.organizationId, table.email)],
)

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

export const ingestKey = sqliteTable(
  "ingest_key",
  {
    id: text().primaryKey(),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("ingest_key_organization").on(table.organizationId)],
)

export const agentKey = sqliteTable(
  "agent_key",
  {
    id: text().primaryKey(),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  // The import file names agent keys by label, so a label means one active key.
  (table) => [uniqueIndex("agent_key_label").on(table.label).where(sql`revoked_at IS NULL`)],
)

export const product = sqliteTable("product", {
  productId: text("product_id").primaryKey(),
  // The AdCP product as JSON, checked by the domain before it is written.
  body: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
})

export const creativeFormat = sqliteTable("creative_format", {
  formatId: text("format_id").primaryKey(),
  // The AdCP format as JSON; null hides the built-in format of this id.
  body: text(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
})

export const opening = sqliteTable(
  "opening",
  {
    agentKeyId: text("agent_key_id")
      .notNull()
      .references(() => agentKey.id, { onDelete: "cascade" }),
    productId: text("product_id")
      .notNull()
      .references(() => product.productId, { onDelete: "cascade" }),
    // A JSON array of ISO 3166-1 alpha-2 codes, or ["*"] for everywhere.
    territories: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentKeyId, table.productId] }),
    index("opening_product").on(table.productId),
  ],
)

export const deliverySource = sqliteTable(
  "delivery_source",
  {
    id: integer().primaryKey(),
    kind: text({ enum: ["key", "form", "file", "command"] }).notNull(),
    // The key's id, or the person's.
    reference: text().notNull(),
    // The file's name, where there is a file.
    detail: text().notNull().default(""),
  },
  (table) => [uniqueIndex("delivery_source_identity").on(table.kind, table.reference, table.detail)],
)

export const deliveryReport = sqliteTable(
  "delivery_report",
  {
    asOf: integer("as_of").notNull(),
    // No foreign keys here: the line exists because its total refers to it, and sources are never deleted. Checking both for
    // every item would add a sixth to its cost.
    lineId: integer("line_id").notNull(),
    // Impressions or downloads; 1 for a flat-rate line that is delivered.
    quantity: real().notNull(),
    receivedAt: integer("received_at").notNull(),
    sourceId: integer("source_id").notNull(),
    // The report of the same line that arrived before this one; null for the first. An index by line would do the same, but
    // would write another page for every item: with ten million reports, ingest would have a tenth of the speed.
    previousAsOf: integer("previous_as_of"),
    previousQuantity: real("previous_quantity"),
  },
  // The primary key makes a repeated report add nothing. Time comes first, so that today's reports are stored side by side, however
  // long the history grows. The history of a line is read from its total, link by link.
  (table) => [primaryKey({ columns: [table.asOf, table.lineId, table.quantity] })],
)

export const deliveryTotal = sqliteTable("delivery_total", {
  lineId: integer("line_id")
    .primaryKey()
    .references(() => packageLine.id),
  // The report that is the current total: with the line, this is its key.
  asOf: integer("as_of").notNull(),
  quantity: real().notNull(),
  // The report that arrived last, which may be older than the current total: the start of the line's history.
  lastAsOf: integer("last_as_of").notNull(),
  lastQuantity: real("last_quantity").notNull(),
})

// Reports that were withdrawn. They are moved here, so that whatever reads the history of a line reads only what counts, and the same
// total can be reported again.
export const withdrawnReport = sqliteTable(
  "withdrawn_report",
  {
    id: integer().primaryKey(),
    lineId: integer("line_id")
      .notNull()
      .references(() => packageLine.id),
    asOf: integer("as_of").notNull(),
    quantity: real().notNull(),
    receivedAt: integer("received_at").notNull(),
    sourceId: integer("source_id")
      .notNull()
      .references(() => deliverySource.id),
    withdrawnAt: integer("withdrawn_at").notNull(),
    // Who: "user:12" or "command", as in the audit trail.
    withdrawnBy: text("withdrawn_by").notNull(),
    reason: text().notNull(),
  },
  // A line's history shows them in the order in which they were received.
  (table) => [index("withdrawn_report_line").on(table.lineId, table.receivedAt, table.id)],
)

export const affiliateCode = sqliteTable(
  "affiliate_code",
  {
    id: integer().primaryKey(),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id),
    code: text().notNull(),
    lineId: integer("line_id")
      .notNull()
      .references(() => packageLine.id),
    slug: text(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("affiliate_code_identity").on(table.organizationId, table.code),
    index("affiliate_code_line").on(table.lineId),
  ],
)

// Every line that a code has ever pointed to. Figures stay with the line that the code pointed to on the day of the first report.
export const affiliatePlacement = sqliteTable(
  "affiliate_placement",
  {
    lineId: integer("line_id")
      .notNull()
      .references(() => packageLine.id),
    // No foreign key: codes are never deleted, and with one every change to a code would look for it here.
    codeId: integer("code_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lineId, table.codeId] }),
    index("affiliate_placement_code").on(table.codeId),
  ],
)

export const affiliateMetric = sqliteTable(
  "affiliate_metric",
  {
    codeId: integer("code_id")
      .notNull()
      .references(() => affiliateCode.id),
    date: text().notNull(),
    // The line that the code pointed to when the day was first reported: its seller and buyer see the figures. 0 means no line and
    // occurs only until a migration has filled it in.
    lineId: integer("line_id").notNull().default(0),
    clicks: integer(),
    conversions: integer(),
    // Millionths of the currency unit, so that sums are exact.
    valueMicros: integer("value_micros"),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.codeId, table.date] })],
)

const CALL_TEXT_BYTES =
  "octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + 120"
const CALL_BYTES = `iif(${CALL_TEXT_BYTES} <= 2000, ${CALL_TEXT_BYTES}, (${CALL_TEXT_BYTES} + 4091) / 4092 * 4096)`

export const agentCall = sqliteTable(
  "agent_call",
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    agentKeyId: text("agent_key_id"),
    address: text(),
    method: text().notNull(),
    tool: text(),
    arguments: text(),
    outcome: text().notNull(),
    durationMicros: integer("duration_micros").notNull(),
    // Roughly the size of the row in the file, computed on read. Rows larger than half a page take whole pages.
    bytes: integer().generatedAlwaysAs(sql.raw(CALL_BYTES), { mode: "virtual" }),
  },
  (table) => [index("agent_call_at").on(table.at)],
)

/** One row with the size of the call log, so that nobody has to count a million rows. */
export const agentCallSize = sqliteTable("agent_call_size", {
  id: integer().primaryKey(),
  rows: integer().notNull(),
  bytes: integer().notNull(),
})

/** Refused requests, counted by the hour. */
export const refusal = sqliteTable(
  "refusal",
  {
    hour: integer().notNull(),
    door: text().notNull(),
    status: integer().notNull(),
    requests: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.door, table.status] })],
)

/**
 * What ingest keys sent, counted by the hour: requests by outcome, items by acceptance or reason. These three tables do not reference
 * the key: they are written with whatever is committed next, which must not fail because of them.
 */
export const feedCount = sqliteTable(
  "feed_count",
  {
    ingestKeyId: text("ingest_key_id").notNull(),
    hour: integer().notNull(),
    feed: text().notNull(),
    // "request" or "item".
    unit: text().notNull(),
    outcome: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ingestKeyId, table.hour, table.feed, table.unit, table.outcome] }),
    index("feed_count_hour").on(table.hour),
  ],
)

/** The last request of each ingest key. */
export const feedLastRequest = sqliteTable("feed_last_request", {
  ingestKeyId: text("ingest_key_id").primaryKey(),
  at: integer().notNull(),
  feed: text().notNull(),
  outcome: text().notNull(),
  accepted: integer().notNull(),
  rejected: integer().notNull(),
})

/** Some of the rejected items of late; `more` counts those like it that were not kept. */
export const rejectedItem = sqliteTable(
  "rejected_item",
  {
    id: integer().primaryKey(),
    organizationId: integer("organization_id").notNull(),
    ingestKeyId: text("ingest_key_id").notNull(),
    at: integer().notNull(),
    feed: text().notNull(),
    reason: text().notNull(),
    message: text().notNull(),
    packageId: text("package_id"),
    code: text(),
    // The item as sent, shortened, with keys masked.
    sent: text().notNull(),
    more: integer().notNull(),
  },
  (table) => [
    index("rejected_item_organization").on(table.organizationId),
    index("rejected_item_key").on(table.ingestKeyId, table.at, table.reason, table.organizationId),
    index("rejected_item_at").on(table.at),
  ],
)

/** What buyers' agents asked for, counted by the week: calls by outcome, countries, formats, budgets, callers and products shown. */
export const demandCount = sqliteTable(
  "demand_count",
  {
    // The Monday of the week, in UTC.
    week: text().notNull(),
    kind: text().notNull(),
    value: text().notNull(),
    calls: integer().notNull(),
    // How many of these calls matched no product.
    unmatched: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.week, table.kind, table.value] })],
)

/** The briefs of a week, each once, with what was understood of it. */
export const demandBrief = sqliteTable(
  "demand_brief",
  {
    week: text().notNull(),
    digest: text().notNull(),
    // Shortened, with keys masked.
    brief: text().notNull(),
    // One on each line.
    countries: text().notNull(),
    formats: text().notNull(),
    budget: real(),
    currency: text(),
    // The last who asked; null without a key.
    agentKeyId: text("agent_key_id"),
    asked: integer().notNull(),
    // By the last answer.
    matched: integer().notNull(),
    unmatched: integer().notNull(),
    firstProduct: text("first_product"),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.week, table.digest] }),
    index("demand_brief_order").on(table.unmatched, table.week, table.asked, table.digest),
  ],
)

export const auditEntry = sqliteTable(
  "audit_entry",
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    // Who: "user:12", "command", "import", "setup".
    actor: text().notNull(),
    // What, as verb and noun: "revoke ingest_key".
    action: text().notNull(),
    subject: text().notNull(),
    organizationId: integer("organization_id").references(() => organization.id),
    details: text(),
  },
  (table) => [index("audit_entry_at").on(table.at), index("audit_entry_action").on(table.action)],
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

export const setting = sqliteTable("setting", {
  name: text().primaryKey(),
  value: text().notNull(),
})
