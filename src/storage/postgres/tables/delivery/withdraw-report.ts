import type { DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import { type ArrivedReport, type WithdrawalResult, withdrawalOf } from "../../../../domain/delivery/withdrawal.ts"
import type { Change } from "../../../../domain/people/audit.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { Deliveries } from "../../../port/store.ts"
import { isStorable } from "../../../steps/storable.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { addAuditEntry } from "../audit.ts"
import { DELETE_DAYS } from "./closing-days.ts"
import { CHAIN } from "./delivery-history.ts"

const LINE = `SELECT l.id, t.as_of AS "asOf", t.quantity FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id
  WHERE l.package_id = $1 AND l.seller_id = $2`
const REPORT = "FROM delivery_report WHERE as_of = $1 AND line_id = $2 AND quantity = $3"
const IS_KEPT = `SELECT 1 AS found ${REPORT} AND received_at = $4`
const WITHDRAWN = `SELECT 1 AS found FROM withdrawn_report
  WHERE line_id = $2 AND received_at = $4 AND as_of = $1 AND quantity = $3`
const LINKS = `${CHAIN} SELECT as_of AS "asOf", quantity, received_at AS "receivedAt", previous_as_of AS "previousAsOf",
  previous_quantity AS "previousQuantity" FROM chain ORDER BY place`
const KEEP_AS_WITHDRAWN = `INSERT INTO withdrawn_report
    (line_id, as_of, quantity, received_at, source_id, withdrawn_at, withdrawn_by, reason)
  SELECT line_id, as_of, quantity, received_at, source_id, $4::bigint, $5, $6 ${REPORT}`
const RELINK = `UPDATE delivery_report SET previous_as_of = $4::bigint, previous_quantity = $5::double precision
  WHERE as_of = $1 AND line_id = $2 AND quantity = $3`
// Null: the closing totals of its days are made anew.
const SET_TOTAL = `UPDATE delivery_total SET as_of = $2, quantity = $3, last_as_of = $4, last_quantity = $5, day_end = NULL
  WHERE line_id = $1`

// Most are near the end of the history; few round trips for those that are not.
const LINKS_AT_A_TIME = 500

interface Link extends ArrivedReport {
  readonly previousAsOf: Moment | null
  readonly previousQuantity: number | null
}

type LineRow = { readonly id: number } & { readonly [Name in keyof DeliveryTotal]: number | null }

/** Takes a report out of the linked history of its line, and sets the total to what the remaining reports say. */
export function reportWithdrawal({ change }: Connection): Pick<Deliveries, "withdraw"> {
  return {
    withdraw: (sellerId, packageId, report, reason, by) =>
      // No report can come in between: figures wait for the end of a change, on every replica.
      change(async (transaction) => {
        const line = isPossible(packageId, report) && (await ownLine(transaction, packageId, sellerId))
        if (!line) return { outcome: "not found" }
        const { id, before } = line
        const key = [report.asOf, id, report.quantity, report.receivedAt]
        const result = before && (await resultOf(transaction, id, report, before))
        if (result === null) {
          const [was] = await transaction.rows(WITHDRAWN, key)
          return { outcome: was === undefined ? "not found" : "already withdrawn" }
        }
        await apply(transaction, id, report, result, by, reason)
        await addAuditEntry(transaction, by, {
          action: "withdraw delivery_report",
          subject: packageId,
          organizationId: sellerId,
          details: { report, reason, before: before?.quantity ?? null, after: result.current?.quantity ?? null },
        })
        return { outcome: "done", total: result.current }
      }),
  }
}

function isPossible(packageId: string, { asOf, receivedAt }: ArrivedReport): boolean {
  return isStorable(packageId) && Number.isSafeInteger(asOf) && Number.isSafeInteger(receivedAt)
}

async function ownLine({ rows }: Session, packageId: string, sellerId: number) {
  const [line] = await rows<LineRow>(LINE, [packageId, sellerId])
  if (line === undefined) return null
  const { id, asOf, quantity } = line
  return { id, before: asOf === null || quantity === null ? null : { asOf, quantity } }
}

async function resultOf(
  { rows }: Session,
  lineId: number,
  report: ArrivedReport,
  current: DeliveryTotal,
): Promise<WithdrawalResult | null> {
  // Most wrong ones are seen at once, without walking the whole history.
  const [kept] = await rows(IS_KEPT, [report.asOf, lineId, report.quantity, report.receivedAt])
  if (kept === undefined) return null
  const withdrawal = withdrawalOf(report, current)
  for (let from: DeliveryTotal | null = null; ; ) {
    const place: (number | null)[] = [from?.asOf ?? null, from?.quantity ?? null]
    const links: Link[] = await rows<Link>(LINKS, [lineId, ...place, LINKS_AT_A_TIME])
    const isEnough = links.some((link) => withdrawal.see({ ...link, previous: previousOf(link) }))
    from = previousOf(links.at(-1))
    if (isEnough || from === null) return withdrawal.result()
  }
}

function previousOf(link: Link | undefined): DeliveryTotal | null {
  if (link === undefined || link.previousAsOf === null || link.previousQuantity === null) return null
  return { asOf: link.previousAsOf, quantity: link.previousQuantity }
}

async function apply(
  { rows }: Session,
  lineId: number,
  report: ArrivedReport,
  { successor, previous, current, last }: WithdrawalResult,
  by: Change,
  reason: string,
): Promise<void> {
  const key = [report.asOf, lineId, report.quantity]
  await rows(KEEP_AS_WITHDRAWN, [...key, by.at, by.actor, reason])
  await rows(`DELETE ${REPORT}`, key)
  if (successor !== null) {
    const link = [previous?.asOf ?? null, previous?.quantity ?? null]
    await rows(RELINK, [successor.asOf, lineId, successor.quantity, ...link])
  }
  if (current === null || last === null) {
    await rows("DELETE FROM delivery_total WHERE line_id = $1", [lineId])
    await rows(DELETE_DAYS, [lineId])
  } else await rows(SET_TOTAL, [lineId, current.asOf, current.quantity, last.asOf, last.quantity])
}
