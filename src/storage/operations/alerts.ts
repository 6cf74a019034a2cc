import { and, asc, desc, eq, isNotNull, isNull, lt, lte } from "drizzle-orm"
import type { Alert, AlertKey } from "../../domain/alert.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import type { Row } from "../tables/tables.ts"

/** The alerts that aren't over, oldest first. */
export async function lastingAlerts(read: ReadTx): Promise<readonly Alert[]> {
  const { alert } = read
  const rows = await read.db.select().from(alert).where(isNull(alert.endedAt)).orderBy(asc(alert.beganAt))
  return rows as readonly Alert[]
}

/** Notes that an alert began. An earlier one with the same cause is replaced. */
export async function beginAlert(tx: Tx, begun: Alert): Promise<void> {
  const { alert } = tx
  const target = [alert.kind, alert.subject]
  await tx.db.insert(alert).values(begun).onConflictDoUpdate({ target, set: begun })
}

export async function endAlert(tx: Tx, { kind, subject }: AlertKey, now: Moment): Promise<void> {
  const { alert } = tx
  const isIt = and(eq(alert.kind, kind), eq(alert.subject, subject))
  await tx.db.update(alert).set({ endedAt: now }).where(isIt)
}

/** A message in the outbox. Its content is an `AlertContent` as JSON. */
export type AlertMessage = Row<"alertMessage">

export async function addMessage(tx: Tx, message: Pick<AlertMessage, "id" | "channel" | "content">, now: Moment) {
  const waiting = { createdAt: now, attempts: 0, nextAttemptAt: now }
  await tx.db.insert(tx.alertMessage).values({ ...message, ...waiting })
}

/** The messages that must be sent now, oldest first. */
export async function dueMessages(read: ReadTx, now: Moment, count: number): Promise<readonly AlertMessage[]> {
  const { alertMessage } = read
  const { createdAt, id } = alertMessage
  const isDue = lte(alertMessage.nextAttemptAt, now)
  return read.db.select().from(alertMessage).where(isDue).orderBy(asc(createdAt), asc(id)).limit(count)
}

/**
 * Counts an attempt before it's made: a server that crashes meanwhile tries again later, not at once and not forever. False if
 * another server was faster.
 */
export async function beginAttempt(tx: Tx, { id, attempts }: AlertMessage, nextAttemptAt: Moment): Promise<boolean> {
  const { alertMessage } = tx
  const isSame = and(eq(alertMessage.id, id), eq(alertMessage.attempts, attempts))
  const isStillDue = and(isSame, isNotNull(alertMessage.nextAttemptAt))
  const counting = tx.db.update(alertMessage).set({ attempts: attempts + 1, nextAttemptAt })
  const counted = await counting.where(isStillDue).returning()
  return counted.length > 0
}

type AttemptOutcome = Pick<AlertMessage, "sentAt" | "nextAttemptAt" | "problem">

export async function endAttempt(tx: Tx, id: string, outcome: AttemptOutcome): Promise<void> {
  const { alertMessage } = tx
  await tx.db.update(alertMessage).set(outcome).where(eq(alertMessage.id, id))
}

/** The newest messages, for the page that says whether alerts arrive. */
export async function latestMessages(read: ReadTx, count: number): Promise<readonly AlertMessage[]> {
  const { alertMessage } = read
  return read.db.select().from(alertMessage).orderBy(desc(alertMessage.createdAt)).limit(count)
}

/** Deletes alerts that ended, and messages that were created, before this moment. */
export async function deleteAlertsBefore(tx: Tx, moment: Moment): Promise<void> {
  const { alert, alertMessage } = tx
  await tx.db.delete(alert).where(lt(alert.endedAt, moment))
  await tx.db.delete(alertMessage).where(lt(alertMessage.createdAt, moment))
}
