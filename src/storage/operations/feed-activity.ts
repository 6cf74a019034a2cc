import { type FeedCount, type FeedRequest, hourOf, RHYTHM_HOURS_MAX, rejectedSamples } from "../../domain/activity.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx } from "../database.ts"
import type { Later } from "../later.ts"
import { orNull } from "../sql-text.ts"

/** Counts a request, and keeps some of its rejected items. Nothing waits for it: see `Later`. */
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

/** An API key, its last request and the hours in which it sent anything. */
export interface KeyActivity {
  readonly id: number
  readonly label: string
  readonly prefix: string
  readonly organization: string
  readonly createdAt: Moment
  readonly lastUsedAt: Moment | null
  readonly revokedAt: Moment | null
  readonly lastRequest: LastRequest | null
  /** The starts of its latest hours with requests. */
  readonly hours: readonly Moment[]
}

export interface LastRequest {
  readonly at: Moment
  readonly feed: string
  readonly outcome: string
  readonly accepted: number
  readonly rejected: number
}

/** The API keys of an organization, newest first, revoked ones included. Call `later.flush` first, for a page. */
export async function keyActivity(read: ReadTx, organizationId: number): Promise<KeyActivity[]> {
  const keys = await read.rows(KEYS, [organizationId], KEY_COLUMNS)
  const activity: KeyActivity[] = []
  for (const { at, feed, outcome, accepted, rejected, ...key } of keys) {
    const hours = await read.rows(HOURS_OF_KEY, [key.id, RHYTHM_HOURS_MAX], { hour: Number })
    const lastRequest = at === null ? null : { at, feed, outcome, accepted, rejected }
    activity.push({ ...key, lastRequest, hours: hours.map(({ hour }) => hour) })
  }
  return activity
}

const KEYS = `SELECT k.id, k.label, k.prefix, o.slug AS organization, k.created_at AS "createdAt",
    k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt", f.at, f.feed, f.outcome, f.accepted, f.rejected
  FROM api_key k JOIN organization o ON o.id = k.organization_id LEFT JOIN feed_last_request f ON f.api_key_id = k.id
  WHERE k.organization_id = $1 ORDER BY k.created_at DESC, k.label, k.id`

const KEY_COLUMNS = {
  id: Number,
  label: String,
  prefix: String,
  organization: String,
  createdAt: Number,
  lastUsedAt: orNull(Number),
  revokedAt: orNull(Number),
  at: orNull(Number),
  feed: String,
  outcome: String,
  accepted: Number,
  rejected: Number,
}

const HOURS_OF_KEY = `SELECT DISTINCT hour FROM feed_count WHERE api_key_id = $1 AND unit = 'request'
  ORDER BY hour DESC LIMIT $2`

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

/** A rejected item that was kept, with the line that it was about, if the organization sells it. */
export interface ListedRejection {
  readonly id: number
  readonly apiKeyId: number
  readonly at: Moment
  readonly feed: string
  readonly reason: string
  readonly message: string
  readonly packageId: string | null
  readonly code: string | null
  readonly sent: string
  readonly lineName: string | null
  /** The slug of the line's campaign. */
  readonly campaign: string | null
}

interface ListPage {
  readonly limit: number
  readonly offset: number
}

/** The rejected items that were kept, newest first. */
export async function rejectedItems(
  read: ReadTx,
  { organizationId, from, apiKeyId, reason }: RejectedFilter,
  { limit, offset }: ListPage,
): Promise<ListedRejection[]> {
  return read.rows(REJECTED, [organizationId, from, apiKeyId, reason, limit, offset], REJECTED_COLUMNS)
}

/** How many rejected items were kept. */
export async function countRejectedItems(
  read: ReadTx,
  { organizationId, from, apiKeyId, reason }: RejectedFilter,
): Promise<number> {
  const query = `SELECT count(*) AS items FROM rejected_item r WHERE ${MATCHING}`
  const [row] = await read.rows(query, [organizationId, from, apiKeyId, reason], { items: Number })
  return row?.items ?? 0
}

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

/** An active key that has sent nothing for a while. */
export interface QuietKey {
  readonly id: number
  readonly label: string
  readonly organization: string
  readonly slug: string
  readonly lastRequestAt: Moment
  /** The starts of its latest hours with requests. */
  readonly hours: readonly Moment[]
}

/**
 * The active keys of one organization or of all, whose last request is older than this, with the hours that show
 * whether that's unusual.
 */
export async function quietKeys(read: ReadTx, before: Moment, organizationId = 0): Promise<QuietKey[]> {
  const keys = await read.rows(QUIET_KEYS, [before, organizationId], QUIET_COLUMNS)
  const found: QuietKey[] = []
  for (const key of keys) {
    const rows = await read.rows(HOURS_OF_KEY, [key.id, RHYTHM_HOURS_MAX], { hour: Number })
    found.push({ ...key, hours: rows.map(({ hour }) => hour) })
  }
  return found
}

/** The IDs of the keys that aren't revoked. */
export async function activeKeyIds(read: ReadTx): Promise<number[]> {
  const rows = await read.rows("SELECT id FROM api_key WHERE revoked_at IS NULL", [], { id: Number })
  return rows.map(({ id }) => id)
}

const QUIET_KEYS = `SELECT api_key.id, label, organization.name AS organization, slug, at AS "lastRequestAt"
  FROM api_key
    JOIN organization ON organization.id = organization_id
    JOIN feed_last_request ON api_key_id = api_key.id
  WHERE revoked_at IS NULL AND at < $1 AND ($2 = 0 OR organization_id = $2)
  ORDER BY organization.name, label, api_key.id`

const QUIET_COLUMNS = { id: Number, label: String, organization: String, slug: String, lastRequestAt: Number }
