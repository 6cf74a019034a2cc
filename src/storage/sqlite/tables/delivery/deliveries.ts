import { type DeliveryEffect, type DeliveryTotal, effectsOf } from "../../../../domain/delivery/delivery.ts"
import { distinctKeyBatches } from "../../../../domain/delivery/distinct-key-batches.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { Deliveries, PreviewedTotal, SoldLine } from "../../../port/store.ts"
import { type CurrentTotal, currentTotalCache } from "../../cache/current-total-cache.ts"
import { sellerTerms } from "../../cache/seller-terms.ts"
import type { Connection } from "../../engine/connection.ts"
import { DELIVERY_SQL } from "../hot-sql.ts"
import { missingDays } from "./closing-days.ts"
import { totalsRecorder } from "./record-totals.ts"

export function deliveries(connection: Connection): Deliveries {
  const { database, caches, reading, write } = connection
  const lineSold = database.query<SoldLine, [string, number]>(DELIVERY_SQL.lineSold)
  const linesSold = sellerTerms(connection, (packageId, sellerId) => lineSold.get(packageId, sellerId))
  const currentTotal = database.query<CurrentTotal, [number]>(DELIVERY_SQL.currentTotal)
  const cache = currentTotalCache(connection)
  const recordAll = totalsRecorder(database, cache)

  function recordPreviewed(
    totals: readonly PreviewedTotal[],
    receivedAt: Moment,
    source: number,
  ): (DeliveryEffect | "outdated")[] {
    const outcomes = new Map<PreviewedTotal, DeliveryEffect>()
    // Each line at most once per round, so that each total is compared with what the one before it has left.
    for (const round of distinctKeyBatches(totals, ({ lineId }) => lineId)) {
      const current = round.filter(({ lineId, before }) => isSame(cache.currentTotal(lineId), before))
      for (const [i, effect] of recordAll(current, receivedAt, source).entries()) {
        const total = current[i]
        if (total !== undefined) outcomes.set(total, effect)
      }
    }
    return totals.map((total) => outcomes.get(total) ?? "outdated")
  }

  return {
    linesSold,
    record: (totals, { receivedAt, source }, termsRevision) =>
      write.runKeepingCaches(() =>
        termsRevision === caches.revision() ? recordAll(totals, receivedAt, cache.sourceId(source)) : null,
      ),
    recordUnlessOutdated: (totals, { receivedAt, source }, termsRevision) =>
      write.runKeepingCaches(() =>
        termsRevision === caches.revision() ? recordPreviewed(totals, receivedAt, cache.sourceId(source)) : null,
      ),
    async preview(totals) {
      reading.join()
      return effectsOf(totals, (lineId) => currentTotal.get(lineId) ?? undefined)
    },
    makeDays: missingDays(connection, cache),
  }
}

function isSame(current: DeliveryTotal | undefined, before: DeliveryTotal | null): boolean {
  if (current === undefined || before === null) return current === undefined && before === null
  return current.asOf === before.asOf && current.quantity === before.quantity
}
