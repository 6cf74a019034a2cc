import { and, asc, count, desc, eq, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm"
import type { AlertKey } from "../../../domain/alerts/alert.ts"
import type { AlertChanges, Alerts } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { alert, alertMessage } from "../schema.ts"

// All that is not the key, as it was to be inserted.
const INSERTED = {
  title: sql`excluded.title`,
  detail: sql`excluded.detail`,
  path: sql`excluded.path`,
  beganAt: sql`excluded.began_at`,
  endedAt: null,
}

const isAbout = ({ kind, subject }: AlertKey) => and(eq(alert.kind, kind), eq(alert.subject, subject))

const lasting = ({ drizzle }: Session) =>
  drizzle
    .select()
    .from(alert)
    .where(isNull(alert.endedAt))
    .orderBy(asc(alert.beganAt), asc(alert.kind), asc(alert.subject))

/** How many of these last. */
async function howManyLast({ drizzle }: Session, keys: readonly AlertKey[]): Promise<number> {
  const areAmongThem = and(isNull(alert.endedAt), or(...keys.map(isAbout)))
  const [found] = keys.length === 0 ? [] : await drizzle.select({ n: count() }).from(alert).where(areAmongThem)
  return found?.n ?? 0
}

async function save({ drizzle }: Session, { began, ended, messages, at, forgetBefore }: AlertChanges): Promise<void> {
  await drizzle.delete(alert).where(lt(alert.endedAt, forgetBefore))
  await drizzle.delete(alertMessage).where(lt(alertMessage.createdAt, forgetBefore))
  const target = [alert.kind, alert.subject]
  if (began.length > 0)
    await drizzle
      .insert(alert)
      .values([...began])
      .onConflictDoUpdate({ target, set: INSERTED })
  if (ended.length > 0)
    await drizzle
      .update(alert)
      .set({ endedAt: at })
      .where(or(...ended.map(isAbout)))
  const waiting = { createdAt: at, attempts: 0, nextAttemptAt: at }
  for (const message of messages) await drizzle.insert(alertMessage).values({ ...message, ...waiting })
}

export function alerts({ read, change }: Connection): Alerts {
  return {
    lasting: () => read(lasting),
    messages: (limit) =>
      read(({ drizzle }) =>
        drizzle.select().from(alertMessage).orderBy(desc(alertMessage.createdAt), desc(alertMessage.id)).limit(limit),
      ),
    due: (now, limit) =>
      read(({ drizzle }) =>
        drizzle
          .select()
          .from(alertMessage)
          .where(lte(alertMessage.nextAttemptAt, now))
          .orderBy(asc(alertMessage.createdAt), asc(alertMessage.id))
          .limit(limit),
      ),
    note: (changes) =>
      change(
        async (transaction) => {
          const { began, ended } = changes
          const isOutdated =
            (await howManyLast(transaction, began)) > 0 || (await howManyLast(transaction, ended)) < ended.length
          if (!isOutdated) await save(transaction, changes)
          return !isOutdated
        },
        { moves: "nothing" },
      ),
    beginAttempt: ({ id, attempts }, nextAttemptAt) =>
      change(
        async ({ drizzle }) => {
          const isNext = and(
            eq(alertMessage.id, id),
            eq(alertMessage.attempts, attempts),
            isNotNull(alertMessage.nextAttemptAt),
          )
          const set = { attempts: attempts + 1, nextAttemptAt }
          const begun = await drizzle.update(alertMessage).set(set).where(isNext).returning({ id: alertMessage.id })
          return begun.length > 0
        },
        { moves: "nothing" },
      ),
    async endAttempt(id, outcome) {
      await change(({ drizzle }) => drizzle.update(alertMessage).set(outcome).where(eq(alertMessage.id, id)), {
        moves: "nothing",
      })
    },
  }
}
