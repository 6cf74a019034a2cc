import { and, asc, desc, eq, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm"
import { type AlertKey, keyText } from "../../../domain/alerts/alert.ts"
import type { AlertChanges, Alerts } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { alert, alertMessage } from "../schema.ts"

// All that is not the key, as it was to be inserted.
const INSERTED = {
  title: sql`excluded.title`,
  detail: sql`excluded.detail`,
  path: sql`excluded.path`,
  beganAt: sql`excluded.began_at`,
  endedAt: null,
}

// Nothing of this is cached.
export function alerts({ drizzle, write }: Connection): Alerts {
  const lasting = () => drizzle.select().from(alert).where(isNull(alert.endedAt)).orderBy(asc(alert.beganAt), asc(alert.kind), asc(alert.subject)).all()
  const isAbout = ({ kind, subject }: AlertKey) => and(eq(alert.kind, kind), eq(alert.subject, subject))

  function save({ began, ended, messages, at, forgetBefore }: AlertChanges): void {
    drizzle.delete(alert).where(lt(alert.endedAt, forgetBefore)).run()
    drizzle.delete(alertMessage).where(lt(alertMessage.createdAt, forgetBefore)).run()
    const target = [alert.kind, alert.subject]
    if (began.length > 0)
      drizzle
        .insert(alert)
        .values([...began])
        .onConflictDoUpdate({ target, set: INSERTED })
        .run()
    if (ended.length > 0)
      drizzle
        .update(alert)
        .set({ endedAt: at })
        .where(or(...ended.map(isAbout)))
        .run()
    const waiting = { createdAt: at, attempts: 0, nextAttemptAt: at }
    for (const message of messages)
      drizzle
        .insert(alertMessage)
        .values({ ...message, ...waiting })
        .run()
  }

  return {
    lasting: async () => lasting(),
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
        const known = new Set(lasting().map(keyText))
        const isOutdated =
          changes.began.some((one) => known.has(keyText(one))) || changes.ended.some((one) => !known.has(keyText(one)))
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
