import type { DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import { type ArrivedReport, type WithdrawalResult, withdrawalOf } from "../../../../domain/delivery/withdrawal.ts"
import type { Change } from "../../../../domain/people/audit.ts"
import type { Deliveries } from "../../../port/store.ts"
import type { CurrentTotal } from "../../cache/current-total-cache.ts"
import type { Connection } from "../../engine/connection.ts"
import { addAuditEntry } from "../audit.ts"
import { DELIVERY_SQL } from "../hot-sql.ts"
import { DELETE_DAYS } from "./closing-days.ts"
import { historyLinks, placeBefore } from "./delivery-history.ts"

const OWN_LINE = "SELECT id FROM package_line WHERE package_id = ?1 AND seller_id = ?2"
const WITHDRAWN = `SELECT 1 AS found FROM withdrawn_report
  WHERE line_id = ?1 AND received_at = ?2 AND as_of = ?3 AND quantity = ?4`
const KEEP_AS_WITHDRAWN = `INSERT INTO withdrawn_report
    (line_id, as_of, quantity, received_at, source_id, withdrawn_at, withdrawn_by, reason)
  SELECT line_id, as_of, quantity, received_at, source_id, ?4, ?5, ?6 FROM delivery_report
  WHERE as_of = ?1 AND line_id = ?2 AND quantity = ?3`
const DELETE = "DELETE FROM delivery_report WHERE as_of = ?1 AND line_id = ?2 AND quantity = ?3"
const RELINK = `UPDATE delivery_report SET previous_as_of = ?4, previous_quantity = ?5
  WHERE as_of = ?1 AND line_id = ?2 AND quantity = ?3`
const DELETE_TOTAL = "DELETE FROM delivery_total WHERE line_id = ?1"

/** Takes a report out of the linked history of its line, and sets the total to what the remaining reports say. */
export function reportWithdrawal(connection: Connection): Pick<Deliveries, "withdraw"> {
  const { database, write } = connection
  const ownLine = database.query<{ id: number }, [string, number]>(OWN_LINE)
  const currentTotal = database.query<CurrentTotal, [number]>(DELIVERY_SQL.currentTotal)
  const wasWithdrawn = database.query<{ found: number }, [number, number, number, number]>(WITHDRAWN)
  const { lastOf, bareLink } = historyLinks(connection)

  function resultOf(lineId: number, report: ArrivedReport, current: DeliveryTotal | null): WithdrawalResult | null {
    // Most wrong ones are seen at once, without walking the whole history.
    if (current === null || bareLink(lineId, report)?.receivedAt !== report.receivedAt) return null
    const withdrawal = withdrawalOf(report, current)
    for (let place = lastOf(lineId); place !== null; ) {
      const link = bareLink(lineId, place)
      const previous = placeBefore(link)
      if (link === null || withdrawal.see({ ...place, receivedAt: link.receivedAt, previous })) break
      place = previous
    }
    return withdrawal.result()
  }

  function apply(lineId: number, report: ArrivedReport, result: WithdrawalResult, by: Change, reason: string): void {
    const key = [report.asOf, lineId, report.quantity] as const
    const { successor, previous, current, last } = result
    database.query(KEEP_AS_WITHDRAWN).run(...key, by.at, by.actor, reason)
    database.query(DELETE).run(...key)
    if (successor !== null) {
      const link = [previous?.asOf ?? null, previous?.quantity ?? null]
      database.query(RELINK).run(successor.asOf, lineId, successor.quantity, ...link)
    }
    if (current === null || last === null) {
      database.query(DELETE_TOTAL).run(lineId)
      database.query(DELETE_DAYS).run(lineId)
    } else {
      // Null: the closing totals are made anew.
      const values = [lineId, current.asOf, current.quantity, last.asOf, last.quantity, null]
      database.query(DELIVERY_SQL.upsertTotals).run(...values)
    }
  }

  return {
    withdraw: (sellerId, packageId, report, reason, change) =>
      // All caches are dropped after it, that of current totals too.
      write.run(() => {
        const line = ownLine.get(packageId, sellerId)
        if (line === null) return { outcome: "not found" }
        const before = currentTotal.get(line.id)
        const result = resultOf(line.id, report, before)
        if (result === null) {
          const was = wasWithdrawn.get(line.id, report.receivedAt, report.asOf, report.quantity)
          return { outcome: was === null ? "not found" : "already withdrawn" }
        }
        apply(line.id, report, result, change, reason)
        addAuditEntry(connection, change, {
          action: "withdraw delivery_report",
          subject: packageId,
          organizationId: sellerId,
          details: { report, reason, before: before?.quantity ?? null, after: result.current?.quantity ?? null },
        })
        return { outcome: "done", total: result.current }
      }),
  }
}
