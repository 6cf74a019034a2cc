import type { Moment } from "../../domain/time/moment.ts"
import { all, asc, desc, isNull, lte, type ReadTx } from "./step.ts"

export const alertReads = {
  /** Alerts that are not over, oldest first. */
  lasting({ db, alert }: ReadTx) {
    const { beganAt, kind, subject, endedAt } = alert
    return all(db.select().from(alert).where(isNull(endedAt)).orderBy(asc(beganAt), asc(kind), asc(subject)))
  },
  /** Newest first. */
  messages({ db, alertMessage }: ReadTx, limit: number) {
    const { createdAt, id } = alertMessage
    return all(db.select().from(alertMessage).orderBy(desc(createdAt), desc(id)).limit(limit))
  },
  /** Messages whose next attempt is at this moment or was earlier, oldest first. */
  due({ db, alertMessage }: ReadTx, now: Moment, limit: number) {
    const { createdAt, id, nextAttemptAt } = alertMessage
    const isDue = lte(nextAttemptAt, now)
    return all(db.select().from(alertMessage).where(isDue).orderBy(asc(createdAt), asc(id)).limit(limit))
  },
}
