import { eq } from "drizzle-orm"
import { hourOf } from "../../domain/activity.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import type { Later } from "../later.ts"

/** The value of a setting. Null if it isn't set. */
export async function settingOf({ db, setting }: ReadTx, name: string): Promise<string | null> {
  const [row] = await db.select().from(setting).where(eq(setting.name, name))
  return row?.value ?? null
}

/** Saves a setting. Null removes it. */
export async function saveSetting({ db, setting }: Tx, name: string, value: string | null): Promise<void> {
  if (value === null) await db.delete(setting).where(eq(setting.name, name))
  else await db.insert(setting).values({ name, value }).onConflictDoUpdate({ target: setting.name, set: { value } })
}

/** Requests that were refused, by the way in and the status of the answer. */
export interface RefusalCount {
  /** "api", "agent" or "app". */
  readonly way: string
  readonly status: number
  readonly count: number
}

/** Counts a request that was refused. Strangers can only raise counts, so they can't fill the disk. */
export function noteRefusal(later: Later, way: string, status: number, at: Moment): void {
  later.count("refusal", { hour: hourOf(at), way, status })
}

/** The sums of all hours that start at this moment or later, the largest first. Call `later.flush` first, for a page. */
export async function refusalsSince(read: ReadTx, from: Moment): Promise<RefusalCount[]> {
  return read.rows(REFUSALS, [from], { way: String, status: Number, count: Number })
}

const REFUSALS =
  "SELECT way, status, sum(count) AS count FROM refusal WHERE hour >= $1 GROUP BY way, status ORDER BY 3 DESC, 1, 2"

/** The latest moment that is stored anywhere in a log. Null in an empty database. */
export async function latestMoment(read: ReadTx): Promise<Moment | null> {
  const [row] = await read.rows(LATEST, [], { latest: (value) => (value === null ? null : Number(value)) })
  return row?.latest ?? null
}

const LATEST = `SELECT max(latest) AS latest FROM (
    SELECT max(as_of) AS latest FROM delivery_total
    UNION ALL SELECT max(at) FROM feed_last_request
    UNION ALL SELECT max(at) FROM audit_entry
  ) AS logs`
