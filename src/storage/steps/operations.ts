import { sql } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import type { SecretName, StoredSettingName } from "../port/settings.ts"
import { all, asc, type BulkSteps, desc, eq, first, isNull, lte, type ReadTx, type Step } from "./step.ts"
import { unexplained } from "./unexplained.ts"

/** Facts about the installation that have to survive a restart. */
export const settingReads = { get: (tx: ReadTx, name: StoredSettingName) => settingOf(tx, name) }

export function* settingOf({ db, setting }: ReadTx, name: StoredSettingName | SecretName): Step<string | null> {
  return (yield* first(db.select().from(setting).where(eq(setting.name, name))))?.value ?? null
}

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

const LATEST_TIMESTAMP = sql`
  SELECT max(at) AS latest FROM (
    SELECT max(r.received_at) AS at FROM delivery_total t
    JOIN delivery_report r ON r.as_of = t.as_of AND r.line_id = t.line_id AND r.quantity = t.quantity
    UNION ALL SELECT max(updated_at) FROM affiliate_code
    UNION ALL SELECT max(updated_at) FROM affiliate_metric
    UNION ALL SELECT max(at) FROM audit_entry
  ) AS latest_of_each`

export type SharedHealth = ReturnType<typeof sharedHealth>

export function sharedHealth({ queryMoment }: Pick<BulkSteps, "queryMoment">) {
  const latest = (tx: ReadTx) => first(tx.statement<{ latest: Moment | null }>(LATEST_TIMESTAMP))
  return {
    ...unexplained({ queryMoment }),
    /** The newest moment at which anything was received or changed; null before the first. */
    latestTimestamp: async () => (await queryMoment(latest, "long"))?.latest ?? null,
  }
}
