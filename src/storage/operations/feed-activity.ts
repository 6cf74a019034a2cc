import { and, asc, desc, eq, getTableColumns, isNull, lt } from "drizzle-orm"
import { type FeedCount, type FeedRequest, hourOf, RHYTHM_HOURS_MAX, rejectedSamples } from "../../domain/activity.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, RowOf } from "../database.ts"
import type { Later } from "../later.ts"
import { orNull } from "../sql-text.ts"
import type { Row } from "../tables/tables.ts"

/** Counts a request, and keeps some of its rejected items. No request waits for it, because `Later` writes it. */
export function noteFeedRequest(later: Later, request: FeedRequest): void {
  const { organizationId, apiKeyId, at, feed, outcome, accepted, rejected } = request
  const key = { apiKeyId, hour: hourOf(at), feed }
  later.count("feedCount", { ...key, unit: "request", outcome })
  later.replace("feedLastRequest", ["apiKeyId"], {
    ...{ apiKeyId, at, feed, outcome, accepted },
    rejected: rejected.length,
  })
  // Items that a dry run rejects aren't kept, because it stores nothing anyway.
  if (outcome !== "answered") return
  if (accepted > 0) later.count("feedCount", { ...key, unit: "item", outcome: "accepted" }, accepted)
  if (rejected.length === 0) return
  for (const [reason, rows] of Map.groupBy(rejected, (row) => row.reason))
    later.count("feedCount", { ...key, unit: "item", outcome: reason }, rows.length)
  for (const sample of rejectedSamples(request))
    later.add("rejectedItem", { organizationId, apiKeyId, at, feed, ...sample })
}

/** The API keys of an organization, newest first, revoked ones included. Call `later.flush` first, for a page. */
export async function keyActivity(read: ReadTx, organizationId: number) {
  const { db, apiKey, feedLastRequest } = read
  const keys = await db
    .select({ ...getTableColumns(apiKey), lastRequest: feedLastRequest })
    .from(apiKey)
    .leftJoin(feedLastRequest, eq(feedLastRequest.apiKeyId, apiKey.id))
    .where(eq(apiKey.organizationId, organizationId))
    .orderBy(desc(apiKey.createdAt), asc(apiKey.label), asc(apiKey.id))
  return Promise.all(keys.map(async (key) => ({ ...key, hours: await hoursOf(read, key.id) })))
}

/** An API key, its last request and the starts of the latest hours in which it sent anything. */
export type KeyActivity = Awaited<ReturnType<typeof keyActivity>>[number]

export type LastRequest = Row<"feedLastRequest">

async function hoursOf(read: ReadTx, keyId: number): Promise<readonly Moment[]> {
  const query = `SELECT DISTINCT hour FROM feed_count WHERE api_key_id = $1 AND unit = 'request'
    ORDER BY hour DESC LIMIT $2`
  const hours = await read.rows(query, [keyId, RHYTHM_HOURS_MAX], { hour: Number })
  return hours.map(({ hour }) => hour)
}

/** The counts of an organization's keys in all hours that start at this moment or later, oldest first. */
export async function feedCounts(read: ReadTx, organizationId: number, from: Moment): Promise<FeedCount[]> {
  return read.rows(COUNTS, [organizationId, from], {
    apiKeyId: Number,
    hour: Number,
    feed: String,
    unit: (value) => value as FeedCount["unit"],
    outcome: String,
    count: Number,
  })
}

const COUNTS = `SELECT f.api_key_id AS "apiKeyId", hour, feed, unit, outcome, count
  FROM api_key k JOIN feed_count f ON f.api_key_id = k.id
  WHERE k.organization_id = $1 AND hour >= $2 ORDER BY hour, f.api_key_id, feed, unit, outcome`

interface RejectedFilter {
  readonly organizationId: number
  readonly from: Moment
  /** Null for any key, or any reason. */
  readonly apiKeyId: number | null
  readonly reason: string | null
}

interface ListPage {
  readonly limit: number
  readonly offset: number
}

/** The rejected items that were kept, newest first. */
export function rejectedItems(read: ReadTx, filter: RejectedFilter, { limit, offset }: ListPage) {
  return read.rows(REJECTED, [...valuesOf(filter), limit, offset], REJECTED_COLUMNS)
}

/** How many rejected items were kept. */
export async function countRejectedItems(read: ReadTx, filter: RejectedFilter): Promise<number> {
  const query = `SELECT count(*) AS items FROM rejected_item r WHERE ${MATCHING}`
  const [row] = await read.rows(query, valuesOf(filter), { items: Number })
  return row?.items ?? 0
}

const valuesOf = ({ organizationId, from, apiKeyId, reason }: RejectedFilter) => [
  organizationId,
  from,
  apiKeyId,
  reason,
]

// The casts tell PostgreSQL what a null would be.
const MATCHING = `r.organization_id = $1 AND r.at >= $2
  AND (CAST($3 AS bigint) IS NULL OR r.api_key_id = $3) AND (CAST($4 AS text) IS NULL OR r.reason = $4)`

const REJECTED = `SELECT r.id, r.api_key_id AS "apiKeyId", r.at, r.feed, r.reason, r.message,
    r.package_id AS "packageId", r.code, r.sent, l.name AS "lineName", c.slug AS campaign
  FROM rejected_item r
    LEFT JOIN affiliate_code a ON r.package_id IS NULL AND a.organization_id = r.organization_id AND a.code = r.code
    LEFT JOIN line l ON (l.package_id = r.package_id OR l.id = a.line_id) AND l.seller_id = r.organization_id
    LEFT JOIN campaign c ON c.id = l.campaign_id
  WHERE ${MATCHING} ORDER BY r.id DESC LIMIT $5 OFFSET $6`

const REJECTED_COLUMNS = {
  id: Number,
  apiKeyId: Number,
  at: Number,
  feed: String,
  reason: String,
  message: String,
  packageId: orNull(String),
  code: orNull(String),
  sent: String,
  lineName: orNull(String),
  campaign: orNull(String),
}

/** A rejected item that was kept, with its line and the slug of the campaign, if the organization sells the line. */
export type ListedRejection = RowOf<typeof REJECTED_COLUMNS>

/**
 * The active keys of one organization or of all, whose last request is older than this, with the hours that show
 * whether that's unusual.
 */
export async function quietKeys(read: ReadTx, before: Moment, organizationId: number | null = null) {
  const { db, apiKey, organization, feedLastRequest } = read
  const isActive = and(isNull(apiKey.revokedAt), lt(feedLastRequest.at, before))
  const { id, label } = apiKey
  const { name, slug } = organization
  const keys = await db
    .select({ id, label, organization: name, slug, lastRequestAt: feedLastRequest.at })
    .from(apiKey)
    .innerJoin(organization, eq(organization.id, apiKey.organizationId))
    .innerJoin(feedLastRequest, eq(feedLastRequest.apiKeyId, id))
    .where(and(isActive, organizationId === null ? undefined : eq(apiKey.organizationId, organizationId)))
    .orderBy(asc(name), asc(label), asc(id))
  return Promise.all(keys.map(async (key) => ({ ...key, hours: await hoursOf(read, key.id) })))
}

/** An active key that has sent nothing for a while. */
export type QuietKey = Awaited<ReturnType<typeof quietKeys>>[number]

/** The IDs of the keys that aren't revoked. */
export async function activeKeyIds({ db, apiKey }: ReadTx): Promise<number[]> {
  const keys = await db.select({ id: apiKey.id }).from(apiKey).where(isNull(apiKey.revokedAt))
  return keys.map(({ id }) => id)
}
