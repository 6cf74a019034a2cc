import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { dayOf, startOfDay, type TimeZone } from "../../domain/time/time-zone.ts"
import type { ReadTx } from "../database.ts"
import { orNull } from "../sql-text.ts"
import { lastDayBefore, measuredDays } from "./days.ts"
import { REPORT_COLUMNS, type Report, reportsBetween } from "./reports.ts"
import { findSource, type StoredSource } from "./sources.ts"

/** What a form or a file reported. */
export interface Receipt {
  readonly source: StoredSource
  /** By moment and line. */
  readonly reports: readonly ReceiptReport[]
}

export interface ReceiptReport extends Report {
  /** Null unless it was withdrawn. */
  readonly withdrawnAt: Moment | null
}

/** Everything that the seller reported with a form or file. Null if it's another seller's, or nothing was new in it. */
export async function receiptOf(read: ReadTx, sellerId: number, reference: string): Promise<Receipt | null> {
  const source = await findSource(read, { reference })
  if (source === null || source.kind === "key") return null
  const query = `SELECT as_of AS "asOf", line_id AS "lineId", received_at AS "receivedAt", quantity,
      source_id AS "sourceId", NULL AS "withdrawnAt"
    FROM delivery_report WHERE as_of BETWEEN $1 AND $2 AND source_id = $3 AND ${IS_OWN}
    UNION ALL SELECT as_of, line_id, received_at, quantity, source_id, withdrawn_at
    FROM withdrawn_report WHERE source_id = $3 AND ${IS_OWN}
    ORDER BY 1, 2, 3`
  const values = [source.measuredFrom, source.measuredTo, source.id, sellerId]
  const reports = await read.rows(query, values, { ...REPORT_COLUMNS, withdrawnAt: orNull(Number) })
  return reports.length === 0 ? null : { source, reports }
}

const IS_OWN = "line_id IN (SELECT id FROM line WHERE seller_id = $4)"

/** The total of each line that counted before a form reported, by line ID. Lines without an earlier total are missing. */
export async function totalsBefore(
  read: ReadTx,
  reports: readonly Report[],
  timeZone: TimeZone,
): Promise<ReadonlyMap<number, DeliveryTotal>> {
  const [first] = reports
  if (first === undefined) return new Map()
  const lineIds = reports.map(({ lineId }) => lineId)
  const day = dayOf(first.asOf, timeZone)
  const measured = await measuredDays(read, lineIds)
  const [earlier, ofDay] = await Promise.all([
    measured === null ? [] : lastDayBefore(read, lineIds, day, measured),
    reportsBetween(read, lineIds, startOfDay(day, timeZone), first.asOf),
  ])
  const isBefore = ({ asOf, receivedAt, sourceId }: Report) =>
    sourceId !== first.sourceId && (asOf < first.asOf || receivedAt < first.receivedAt)
  const inOrder = ofDay.filter(isBefore).toSorted((a, b) => a.asOf - b.asOf || a.receivedAt - b.receivedAt)
  return new Map<number, DeliveryTotal>([...earlier, ...inOrder.map((report) => [report.lineId, report] as const)])
}
