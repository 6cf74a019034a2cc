import { type CurrentTotal, effectsOf } from "../../../../domain/delivery/current-total.ts"
import type { DeliveryEffect, DeliverySource } from "../../../../domain/delivery/delivery.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import type { Deliveries, ReportedTotal, SoldLine } from "../../../port/store.ts"
import type { Value } from "../../engine/session.ts"
import type { Access, Transaction } from "../../engine/transaction.ts"
import { sellerTerms } from "../seller-terms.ts"
import type { Job, Outcome } from "./delivery-chain.ts"
import { deliveryChain, isLate, mayChangeDays, reportKey } from "./delivery-chain.ts"

// Numbers are read as double precision, which the driver hands over as such: all are below 2^53, so nothing is lost.

const LINES_SOLD = `SELECT package_id AS name, id::double precision AS "lineId", pricing_basis AS "pricingBasis",
    flight_start AS "flightStart"
  FROM package_line WHERE package_id = ANY($1::text[]) AND seller_id = $2`

/** Everybody who reports for a line waits here for the one before. In the order of the ids, so that nobody deadlocks. */
const LOCK = "ORDER BY line_id FOR UPDATE"

/** One row with a list of each column: that is read in a third of the time that many rows take. */
const totalsOfLines = (lock = "") => `WITH total AS MATERIALIZED
    (SELECT * FROM delivery_total WHERE line_id = ANY($1::bigint[]) ${lock})
  SELECT array_agg(line_id::double precision) AS "lineIds", array_agg(as_of::double precision) AS "asOfs",
    array_agg(quantity) AS quantities, array_agg(last_as_of::double precision) AS "lastAsOfs",
    array_agg(last_quantity) AS "lastQuantities", array_agg(day_end::double precision) AS "dayEnds",
    array_agg(coalesce(day_low, quantity)) AS "dayLows" FROM total`

const TOTALS = totalsOfLines()
const TOTALS_LOCKED = totalsOfLines(LOCK)

const LATE_REPORTS = `SELECT r.line_id::double precision AS "lineId", r.as_of::double precision AS "asOf", r.quantity
  FROM unnest($1::bigint[], $2::bigint[], $3::double precision[]) AS late(line_id, as_of, quantity)
  JOIN delivery_report r ON r.as_of = late.as_of AND r.line_id = late.line_id AND r.quantity = late.quantity`

const ZONES = `SELECT l.id::double precision AS id, o.time_zone AS zone
  FROM package_line l JOIN organization o ON o.id = l.seller_id WHERE l.id = ANY($1::bigint[])`

const COLUMNS = "line_id, as_of, quantity, last_as_of, last_quantity, day_end, day_low"
const CHANGED = `unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[], $5::double precision[], $6::bigint[],
  $7::double precision[])`

/** If another replica has added one of them meanwhile, this fails, and is tried again with what that one has written. */
const ADD_TOTALS = `INSERT INTO delivery_total (${COLUMNS}) SELECT * FROM ${CHANGED}`

/** Finds each row by the index, however many there are: an UPDATE with a join may read the whole table instead. */
const MOVE_TOTALS = `INSERT INTO delivery_total AS t (${COLUMNS}) SELECT * FROM ${CHANGED}
  ON CONFLICT (line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity,
    last_as_of = excluded.last_as_of, last_quantity = excluded.last_quantity, day_end = excluded.day_end,
    day_low = excluded.day_low
  WHERE t.as_of <= excluded.as_of`

const ADD_REPORTS = `INSERT INTO delivery_report
    (line_id, as_of, quantity, received_at, source_id, previous_as_of, previous_quantity)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[], $5::bigint[], $6::bigint[],
    $7::double precision[])`

/** The last total of the day unless it has a later one already, and the lowest. */
const CLOSE_DAYS = `INSERT INTO delivery_day AS d (line_id, day, as_of, quantity, low)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::double precision[], $5::double precision[])
  ON CONFLICT (day, line_id) DO UPDATE SET as_of = greatest(d.as_of, excluded.as_of),
    quantity = CASE WHEN excluded.as_of >= d.as_of THEN excluded.quantity ELSE d.quantity END,
    low = least(coalesce(d.low, d.quantity), excluded.low)`

/** A lower total of the same moment no longer counts: what it corrected has to be found again. One is enough: a join would read them all. */
const FORGET_DAYS = `UPDATE delivery_total SET day_end = NULL WHERE line_id IN (SELECT c.line_id
  FROM unnest($1::bigint[], $2::bigint[], $3::double precision[]) AS c(line_id, as_of, quantity)
  CROSS JOIN LATERAL (SELECT 1 FROM delivery_report r
    WHERE r.as_of = c.as_of AND r.line_id = c.line_id AND r.quantity < c.quantity LIMIT 1) AS lower)`

const FIND_SOURCE = "SELECT id FROM delivery_source WHERE kind = $1 AND reference = $2 AND detail = $3"
const ADD_SOURCE = "INSERT INTO delivery_source (kind, reference, detail) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"

/** Null where there is no total at all. */
type TotalColumns = Readonly<
  Record<"lineIds" | "asOfs" | "quantities" | "lastAsOfs" | "lastQuantities" | "dayLows", ArrayLike<number> | null> &
    Record<"dayEnds", ArrayLike<number | null> | null>
>

export function deliveries(access: Access): Omit<Deliveries, "makeDays"> {
  const { read, recordFigures } = access

  /** Null, and nothing is written, where the terms have moved. */
  const keep = (job: Job): Promise<Outcome[] | null> =>
    recordFigures(async (transaction) => {
      if (job.termsRevision !== transaction.terms) return null
      const { totals } = job
      const stored = totalsIn(await transaction.rows(TOTALS_LOCKED, [lineIdsOf(totals)]))
      // One statement each, sent together: whatever fails, none follows the rollback.
      const [late, zones, source] = await Promise.all([
        lateReports(transaction, totals, stored),
        zonesOf(transaction, totals, stored),
        findSource(transaction, job.receipt.source),
      ])
      const chain = deliveryChain({ totals: stored, late, zones })
      const outcomes = chain.arriveAll(job, source ?? (await addSource(transaction, job.receipt.source)))
      await Promise.all(whatIsWritten(chain).map(([text, values]) => transaction.rows(text, values)))
      return outcomes
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

function totalsIn(rows: readonly object[]): ReadonlyMap<number, CurrentTotal> {
  const [{ lineIds, asOfs, quantities, lastAsOfs, lastQuantities, dayEnds, dayLows }] = rows as readonly [TotalColumns]
  const totals = new Map<number, CurrentTotal>()
  for (let i = 0; i < (lineIds?.length ?? 0); i += 1) {
    totals.set(lineIds?.[i] ?? 0, {
      asOf: asOfs?.[i] ?? 0,
      quantity: quantities?.[i] ?? 0,
      lastAsOf: lastAsOfs?.[i] ?? 0,
      lastQuantity: lastQuantities?.[i] ?? 0,
      dayEnd: dayEnds?.[i] ?? null,
      dayLow: dayLows?.[i] ?? 0,
    })
  }
  return totals
}

/** Which of the late reports are in the history already. A statement of its own: it sees what those who had the locks before have written. */
async function lateReports(
  { rows }: Transaction,
  totals: readonly ReportedTotal[],
  stored: ReadonlyMap<number, CurrentTotal>,
) {
  const late = totals.filter((total) => isLate(total, stored.get(total.lineId)))
  if (late.length === 0) return new Set<string>()
  const reports = await rows<ReportedTotal>(LATE_REPORTS, columnsOf(late, "lineId", "asOf", "quantity"))
  return new Set(reports.map(reportKey))
}

/** Only for those reports that may begin or change a day: of most, nothing has to be read. */
async function zonesOf(
  { rows }: Transaction,
  totals: readonly ReportedTotal[],
  stored: ReadonlyMap<number, CurrentTotal>,
) {
  // Of several of one line the later ones are compared with what is not stored yet.
  const seen = new Set<number>()
  const changing = totals.filter((total) => {
    const isAgain = seen.has(total.lineId)
    seen.add(total.lineId)
    return isAgain || mayChangeDays(total, stored.get(total.lineId))
  })
  if (changing.length === 0) return new Map<number, TimeZone>()
  const zones = await rows<{ id: number; zone: TimeZone }>(ZONES, [lineIdsOf(changing)])
  return new Map(zones.map(({ id, zone }) => [id, zone]))
}

const TOTAL = ["lineId", "asOf", "quantity"] as const
const CHANGED_TOTAL = [...TOTAL, "lastAsOf", "lastQuantity", "dayEnd", "dayLow"] as const
const REPORT = [...TOTAL, "receivedAt", "sourceId", "previousAsOf", "previousQuantity"] as const

/** The statements of everything that a chain has changed, each with the columns of its rows. */
function whatIsWritten(chain: ReturnType<typeof deliveryChain>) {
  const changed = chain.changed()
  const added = changed.filter(({ isNew }) => isNew)
  const moved = changed.filter(({ isNew }) => !isNew)
  const closings = chain.closings()
  const [lineIds = [], ...closed] = columnsOf(closings, ...TOTAL, "low")
  const statements: readonly (readonly [text: string, rows: number, values: readonly Value[]])[] = [
    [ADD_TOTALS, added.length, columnsOf(added, ...CHANGED_TOTAL)],
    [MOVE_TOTALS, moved.length, columnsOf(moved, ...CHANGED_TOTAL)],
    [ADD_REPORTS, chain.reports.length, columnsOf(chain.reports, ...REPORT)],
    [CLOSE_DAYS, closings.length, [lineIds, closings.map(({ day }) => day), ...closed]],
    [FORGET_DAYS, chain.corrections.length, columnsOf(chain.corrections, ...TOTAL)],
  ]
  return statements.flatMap(([text, rows, values]) => (rows > 0 ? [[text, values] as const] : []))
}

/** The values of some columns, each as one list. */
const columnsOf = <Name extends string>(
  rows: readonly Readonly<Record<Name, number | null>>[],
  ...names: readonly Name[]
) => names.map((name) => rows.map((row) => row[name]))
