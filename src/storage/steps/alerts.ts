import type { AlertReads } from "../port/store.ts"
import { all, asc, desc, isNull, lte, type Steps } from "./step.ts"

export function alertReads({ query }: Pick<Steps, "query">): AlertReads {
  return {
    lasting: () =>
      query(({ db, alert }) => {
        const { beganAt, kind, subject, endedAt } = alert
        return all(db.select().from(alert).where(isNull(endedAt)).orderBy(asc(beganAt), asc(kind), asc(subject)))
      }),
    messages: (limit) =>
      query(({ db, alertMessage }) => {
        const { createdAt, id } = alertMessage
        return all(db.select().from(alertMessage).orderBy(desc(createdAt), desc(id)).limit(limit))
      }),
    due: (now, limit) =>
      query(({ db, alertMessage }) => {
        const { createdAt, id, nextAttemptAt } = alertMessage
        const isDue = lte(nextAttemptAt, now)
        return all(db.select().from(alertMessage).where(isDue).orderBy(asc(createdAt), asc(id)).limit(limit))
      }),
  }
}
