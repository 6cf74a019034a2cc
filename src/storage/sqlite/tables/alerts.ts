import { and, asc, desc, eq, isNotNull, lt, lte } from "drizzle-orm"
import type { Alert, AlertKey } from "../../../domain/alerts/alert.ts"
import type { AlertChanges, Alerts } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { alert, alertMessage } from "../schema.ts"

// Written out, because there can be thousands: everybody waits for a statement of SQLite.
const LASTING = `SELECT kind, subject, title, detail, path, began_at AS beganAt, ended_at AS endedAt
  FROM alert WHERE ended_at IS NULL ORDER BY began_at, kind, subject`
const IS_LASTING = "SELECT 1 FROM alert WHERE kind = ?1 AND subject = ?2 AND ended_at IS NULL"
const BEGIN = `INSERT INTO alert (kind, subject, title, detail, path, began_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT DO UPDATE SET title = ?3, detail = ?4, path = ?5, began_at = ?6, ended_at = NULL`
const END = "UPDATE alert SET ended_at = ?3 WHERE kind = ?1 AND subject = ?2"

// Nothing of this is cached.
export function alerts({ database, drizzle, write }: Connection): Alerts {
  const isLasting = ({ kind, subject }: AlertKey) => database.query(IS_LASTING).get(kind, subject) !== null

  function save({ began, ended, messages, at, forgetBefore }: AlertChanges): void {
    drizzle.delete(alert).where(lt(alert.endedAt, forgetBefore)).run()
    drizzle.delete(alertMessage).where(lt(alertMessage.createdAt, forgetBefore)).run()
    for (const { kind, subject, title, detail, path, beganAt } of began)
      database.query(BEGIN).run(kind, subject, title, detail, path, beganAt)
    for (const { kind, subject } of ended) database.query(END).run(kind, subject, at)
    const waiting = { createdAt: at, attempts: 0, nextAttemptAt: at }
    for (const message of messages) {
      drizzle
        .insert(alertMessage)
        .values({ ...message, ...waiting })
        .run()
    }
  }

  return {
    lasting: async () => database.query<Alert, []>(LASTING).all(),
    messages: async (limit) =>
      drizzle
        .select()
        .from(alertMessage)
        .orderBy(desc(alertMessage.createdAt), desc(alertMessage.id))
        .limit(limit)
        .all(),
    due: async (now, limit) =>
      drizzle
        .select()
        .from(alertMessage)
        .where(lte(alertMessage.nextAttemptAt, now))
        .orderBy(asc(alertMessage.createdAt), asc(alertMessage.id))
        .limit(limit)
        .all(),
    note: (changes) =>
      write.runKeepingCaches(() => {
        const isOutdated = changes.began.some(isLasting) || !changes.ended.every(isLasting)
        if (!isOutdated) save(changes)
        return !isOutdated
      }),
    beginAttempt: ({ id, attempts }, nextAttemptAt) =>
      write.runKeepingCaches(() => {
        const isNext = and(
          eq(alertMessage.id, id),
          eq(alertMessage.attempts, attempts),
          isNotNull(alertMessage.nextAttemptAt),
        )
        const set = { attempts: attempts + 1, nextAttemptAt }
        return drizzle.update(alertMessage).set(set).where(isNext).returning({ id: alertMessage.id }).all().length > 0
      }),
    endAttempt: (id, outcome) =>
      write.runKeepingCaches(() => {
        drizzle.update(alertMessage).set(outcome).where(eq(alertMessage.id, id)).run()
      }),
  }
}
