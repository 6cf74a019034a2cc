import { type SQL, sql } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import type { SecretName, StoredSettingName } from "../port/settings.ts"
import { all, asc, type BulkSteps, desc, eq, first, isNull, lte, type ReadTx, type Step } from "./step.ts"

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

// A total is right when it is one of the reports with the newest as_of of its line.
const UNEXPLAINED_TOTALS = sql`
  WITH newest AS (SELECT line_id, max(as_of) AS as_of FROM delivery_report GROUP BY line_id),
    explained AS (
      SELECT t.line_id FROM delivery_total t
      JOIN newest n ON n.line_id = t.line_id AND n.as_of = t.as_of
      JOIN delivery_report r ON r.line_id = t.line_id AND r.as_of = t.as_of AND r.quantity = t.quantity
    )
  SELECT count(*) AS count FROM (
    SELECT line_id FROM newest UNION SELECT line_id FROM delivery_total EXCEPT SELECT line_id FROM explained
  ) AS unexplained`

const LATEST_TIMESTAMP = sql`
  SELECT max(at) AS latest FROM (
    SELECT max(r.received_at) AS at FROM delivery_total t
    JOIN delivery_report r ON r.as_of = t.as_of AND r.line_id = t.line_id AND r.quantity = t.quantity
    UNION ALL SELECT max(updated_at) FROM affiliate_code
    UNION ALL SELECT max(updated_at) FROM affiliate_metric
    UNION ALL SELECT max(at) FROM audit_entry
  ) AS latest_of_each`

export type SharedHealth = ReturnType<typeof sharedHealth>

/** What looks at every row has time for that. */
export function sharedHealth({ queryMoment }: Pick<BulkSteps, "queryMoment">) {
  const long = <Row>(query: SQL) => queryMoment(({ statement }) => first(statement<Row>(query)), "long")
  return {
    /** How many lines have a current total that does not follow from their history. */
    unexplainedTotals: async () => (await long<{ count: number }>(UNEXPLAINED_TOTALS))?.count ?? 0,
    /** The newest moment at which anything was received or changed; null before the first. */
    latestTimestamp: async () => (await long<{ latest: Moment | null }>(LATEST_TIMESTAMP))?.latest ?? null,
  }
}
