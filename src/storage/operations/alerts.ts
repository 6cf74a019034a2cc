import { and, asc, desc, eq, isNotNull, lte } from "drizzle-orm"
import type { Alert, AlertKind } from "../../domain/alert.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import { hasRows } from "../sql-text.ts"
import type { Row } from "../tables/tables.ts"

/** The alerts that aren't over, oldest first. */
export async function lastingAlerts({ db, alert }: ReadTx): Promise<readonly Alert[]> {
  const rows = await db.select().from(alert).orderBy(asc(alert.beganAt))
  return rows.map((row) => ({ ...row, kind: row.kind as AlertKind, endedAt: null }))
}

/** A message in the outbox. Its content is an `AlertContent` as JSON. */
export type AlertMessage = Row<"alertMessage">

/** The messages that must be sent now, oldest first. */
export async function dueMessages({ db, alertMessage }: ReadTx, now: Moment, count: number): Promise<AlertMessage[]> {
  const isDue = lte(alertMessage.nextAttemptAt, now)
  return db
    .select()
    .from(alertMessage)
    .where(isDue)
    .orderBy(asc(alertMessage.createdAt), asc(alertMessage.id))
    .limit(count)
}

/**
 * Counts an attempt before it's made: a server that crashes meanwhile tries again later, not at once and not for ever. False if
 * another server was faster.
 */
export async function beginAttempt(
  { db, alertMessage }: Tx,
  { id, attempts }: AlertMessage,
  nextAttemptAt: Moment,
): Promise<boolean> {
  const isSame = and(eq(alertMessage.id, id), eq(alertMessage.attempts, attempts))
  const isStillDue = and(isSame, isNotNull(alertMessage.nextAttemptAt))
  const set = { attempts: attempts + 1, nextAttemptAt }
  return hasRows(db.update(alertMessage).set(set).where(isStillDue).returning())
}

/** The newest messages, for the page that says whether alerts arrive. */
export async function latestMessages({ db, alertMessage }: ReadTx, count: number): Promise<AlertMessage[]> {
  return db.select().from(alertMessage).orderBy(desc(alertMessage.createdAt)).limit(count)
}
