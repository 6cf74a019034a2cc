import { effectsOf, type LastOfMoment } from "../../../../domain/delivery/current-total.ts"
import type { DeliveryEffect, DeliverySource, DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import type { Deliveries, ReportedTotal, SoldLine } from "../../../port/store.ts"
import { workOutDay } from "../../../steps/line-days.ts"
import type { Value } from "../../engine/session.ts"
import { runStep } from "../../engine/steps.ts"
import type { Access, Transaction } from "../../engine/transaction.ts"
import { sellerTerms } from "../seller-terms.ts"
import { deliveryBatch, isLate, type Job, momentKey, type Outcome } from "./delivery-batch.ts"

// Numbers are read as double precision, which the driver hands over as such: all are below 2^53, so nothing is lost.

const LINES_SOLD = `SELECT package_id AS name, id::double precision AS "lineId", pricing_basis AS "pricingBasis",
    flight_start AS "flightStart"
  FROM package_line WHERE package_id = ANY($1::text[]) AND seller_id = $2`

/** Everybody who reports for a line waits here for the one before. In the order of the ids, so that nobody deadlocks. */
const LOCK = "ORDER BY line_id FOR UPDATE"

/** One row with a list of each column: that is read in a third of the time that many rows take. */
const totalsOfLines = (lock = "") => `WITH total AS MATERIALIZED
    (SELECT line_id, as_of, quantity FROM delivery_total WHERE line_id = ANY($1::bigint[]) ${lock})
  SELECT array_agg(line_id::double precision) AS "lineIds", array_agg(as_of::double precision) AS "asOfs",
    array_agg(quantity) AS quantities FROM total`

const TOTALS = totalsOfLines()
const TOTALS_LOCKED = totalsOfLines(LOCK)

const GIVEN = "unnest($1::bigint[], $2::bigint[], $3::double precision[])"

/** Of each line and moment the report that was received last. */
const LAST_OF_MOMENTS = `SELECT m.line_id::double precision AS "lineId", m.as_of::double precision AS "asOf", r.quantity,
    r.received_at::double precision AS "receivedAt"
  FROM ${GIVEN} AS m(line_id, as_of, quantity)
  CROSS JOIN LATERAL (SELECT quantity, received_at FROM delivery_report d
    WHERE d.as_of = m.as_of AND d.line_id = m.line_id ORDER BY d.received_at DESC LIMIT 1) AS r`

/** If another replica has added one of them meanwhile, this fails, and is tried again with what that one has written. */
const ADD_TOTALS = `INSERT INTO delivery_total (line_id, as_of, quantity) SELECT * FROM ${GIVEN}`

/** Finds each row by the index, however many there are: an UPDATE with a join may read the whole table instead. */
const MOVE_TOTALS = `INSERT INTO delivery_total AS t (line_id, as_of, quantity) SELECT * FROM ${GIVEN}
  ON CONFLICT (line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity
  WHERE t.as_of <= excluded.as_of`

/** Where somebody has removed the total of a line, what is reported again is in the history already. */
const ADD_REPORTS = `INSERT INTO delivery_report (line_id, as_of, quantity, received_at, source_id)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[], $5::bigint[])
  ON CONFLICT DO NOTHING`

/** See `withTotal` in domain/delivery/line-day.ts. */
const ADD_TO_DAYS = `INSERT INTO delivery_day AS d (line_id, as_of, quantity, low, day)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::double precision[], $5::text[])
  ON CONFLICT (day, line_id) DO UPDATE SET as_of = greatest(d.as_of, excluded.as_of),
    quantity = CASE WHEN excluded.as_of >= d.as_of THEN excluded.quantity ELSE d.quantity END,
    low = least(coalesce(d.low, d.quantity), excluded.low)`

/** Of these corrections those of a lower total of the same moment, which no longer counts. One is enough: a join would read them all. */
const LOWER_BEFORE = `SELECT c.line_id::double precision AS "lineId", c.as_of::double precision AS "asOf"
  FROM ${GIVEN} AS c(line_id, as_of, quantity)
  CROSS JOIN LATERAL (SELECT 1 FROM delivery_report r
    WHERE r.as_of = c.as_of AND r.line_id = c.line_id AND r.quantity < c.quantity LIMIT 1) AS lower`

const FIND_SOURCE = "SELECT id FROM delivery_source WHERE kind = $1 AND reference = $2 AND detail = $3"
const ADD_SOURCE = "INSERT INTO delivery_source (kind, reference, detail) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"

/** Null where there is no total at all. */
type TotalColumns = Readonly<Record<"lineIds" | "asOfs" | "quantities", ArrayLike<number> | null>>

export function deliveries(access: Access): Deliveries {
  const { read, recordFigures } = access

  /** Null, and nothing is written, where the terms have moved. */
  const keep = (job: Job): Promise<Outcome[] | null> =>
    recordFigures(async (transaction) => {
      if (job.termsRevision !== transaction.terms) return null
      const { totals, receipt } = job
      const stored = totalsIn(await transaction.rows(TOTALS_LOCKED, [lineIdsOf(totals)]))
      // One statement each, sent together: whatever fails, none follows the rollback.
      const [lasts, source] = await Promise.all([
        lastOfMoments(transaction, totals, stored),
        findSource(transaction, receipt.source),
      ])
      const sourceId = source ?? (await addSource(transaction, receipt.source))
      const batch = deliveryBatch({ totals: stored, lasts }, job, sourceId)
      await Promise.all(whatIsWritten(batch).map(([text, values]) => transaction.rows(text, values)))
      await workOutCorrected(transaction, batch, receipt.timeZone)
      return batch.outcomes
    })

  return {
    linesSold: sellerTerms<SoldLine>(access, LINES_SOLD),
    record: (totals, receipt, termsRevision) =>
      keep({ totals, receipt, termsRevision, isPreviewed: false }) as Promise<DeliveryEffect[] | null>,
    recordUnlessOutdated: (totals, receipt, termsRevision) =>
      keep({ totals, receipt, termsRevision, isPreviewed: true }),
    async preview(totals) {
      const current = totalsIn(await read(({ rows }) => rows(TOTALS, [lineIdsOf(totals)])))
      return effectsOf(totals, (lineId) => current.get(lineId))
    },
  }
}

async function findSource({ rows }: Transaction, { kind, reference, detail }: DeliverySource) {
  const [source] = await rows<{ id: number }>(FIND_SOURCE, [kind, reference, detail])
  return source?.id
}

async function addSource(transaction: Transaction, source: DeliverySource): Promise<number> {
  await transaction.rows(ADD_SOURCE, [source.kind, source.reference, source.detail])
  const id = await findSource(transaction, source)
  if (id === undefined) throw new Error("a delivery source was neither found nor added")
  return id
}

const lineIdsOf = (totals: readonly ReportedTotal[]): number[] => [...new Set(totals.map(({ lineId }) => lineId))]

function totalsIn(rows: readonly object[]): ReadonlyMap<number, DeliveryTotal> {
  const [{ lineIds, asOfs, quantities }] = rows as readonly [TotalColumns]
  const totals = new Map<number, DeliveryTotal>()
  for (let i = 0; i < (lineIds?.length ?? 0); i += 1)
    totals.set(lineIds?.[i] ?? 0, { asOf: asOfs?.[i] ?? 0, quantity: quantities?.[i] ?? 0 })
  return totals
}

/** What the history has of the moments of late reports. A statement of its own: it sees what those who had the locks before have written. */
async function lastOfMoments(
  { rows }: Transaction,
  totals: readonly ReportedTotal[],
  stored: ReadonlyMap<number, DeliveryTotal>,
) {
  const late = totals.filter((total) => isLate(total, stored.get(total.lineId)))
  if (late.length === 0) return new Map<string, LastOfMoment>()
  const reports = await rows<ReportedTotal & LastOfMoment>(LAST_OF_MOMENTS, columnsOf(late, ...TOTAL))
  return new Map<string, LastOfMoment>(reports.map((report) => [momentKey(report), report]))
}

type Batch = ReturnType<typeof deliveryBatch>

const TOTAL = ["lineId", "asOf", "quantity"] as const

/** The statements of everything that a batch has changed, each with the columns of its rows. */
function whatIsWritten({ totals, reports, days }: Batch) {
  const added = totals.filter(({ isNew }) => isNew)
  const moved = totals.filter(({ isNew }) => !isNew)
  const statements: readonly (readonly [text: string, rows: number, values: readonly Value[]])[] = [
    [ADD_TOTALS, added.length, columnsOf(added, ...TOTAL)],
    [MOVE_TOTALS, moved.length, columnsOf(moved, ...TOTAL)],
    [ADD_REPORTS, reports.length, columnsOf(reports, ...TOTAL, "receivedAt", "sourceId")],
    [ADD_TO_DAYS, days.length, [...columnsOf(days, ...TOTAL, "low"), days.map(({ day }) => day)]],
  ]
  return statements.flatMap(([text, rows, values]) => (rows > 0 ? [[text, values] as const] : []))
}

/** Works out the days of which a lower total was corrected. */
async function workOutCorrected(transaction: Transaction, { corrections }: Batch, zone: string): Promise<void> {
  if (corrections.length === 0) return
  const lower = await transaction.rows<Omit<ReportedTotal, "quantity">>(LOWER_BEFORE, columnsOf(corrections, ...TOTAL))
  const corrected = new Set(lower.map(({ lineId, asOf }) => `${lineId} ${asOf}`))
  const outdated = corrections.filter(({ lineId, asOf }) => corrected.has(`${lineId} ${asOf}`))
  for (const [day, some] of Map.groupBy(outdated, (one) => one.day))
    await runStep(transaction, (tx) => workOutDay(tx, day, zone, lineIdsOf(some)))
}

/** The values of some columns, each as one list. */
const columnsOf = <Name extends string>(
  rows: readonly Readonly<Record<Name, number | null>>[],
  ...names: readonly Name[]
) => names.map((name) => rows.map((row) => row[name]))
