import { RHYTHM_HOURS_MAX } from "../../domain/activity/rhythm.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx } from "../database.ts"

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
  const keys = await read.rows(QUIET_KEYS, [before, organizationId], KEY_COLUMNS)
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

const KEY_COLUMNS = { id: Number, label: String, organization: String, slug: String, lastRequestAt: Number }

const HOURS_OF_KEY = `SELECT DISTINCT hour FROM feed_count WHERE api_key_id = $1 AND unit = 'request'
  ORDER BY hour DESC LIMIT $2`
