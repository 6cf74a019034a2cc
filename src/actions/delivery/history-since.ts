import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import { isAllAfter, type LinkedReport } from "../../domain/delivery/withdrawal.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/**
 * The totals of a line that were measured at this moment or later, and at least the last one before it, however many reports there are.
 * Of several at one moment the later arrival comes last.
 */
export async function historySince(store: Pick<StoreReads, "deliveryHistory">, lineId: number, asOf: Moment) {
  const totals: DeliveryTotal[] = []
  let before: Moment | null = null
  for (let from: DeliveryTotal | null = null; ; ) {
    const reports: readonly LinkedReport[] = await store.deliveryHistory.arrivals(lineId, from)
    // The report to go on with was withdrawn meanwhile.
    if (reports.length === 0 && from !== null) return historySince(store, lineId, asOf)
    for (const report of reports) {
      totals.push(report)
      if (report.asOf < asOf) before = Math.max(before ?? report.asOf, report.asOf)
      if (before !== null && isAllAfter(before, report)) return totals.reverse()
    }
    from = reports.at(-1)?.previous ?? null
    if (from === null) return totals.reverse()
  }
}

/** Makes the closing totals of days of some lines where they are missing. False where none are. */
export const makeDays = (context: Context, stopping: AbortSignal): Promise<boolean> =>
  writesOf(context).deliveries.makeDays(stopping)
