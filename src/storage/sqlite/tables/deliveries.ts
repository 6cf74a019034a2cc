import { type DeliveryEffect, type DeliveryTotal, effectOf } from "../../../domain/delivery/delivery.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Deliveries, PreviewedTotal, SoldLine } from "../../port/store.ts"
import { type CurrentTotal, currentTotalCache } from "../cache/current-total-cache.ts"
import { sellerTerms } from "../cache/seller-terms.ts"
import type { Connection } from "../engine/connection.ts"
import { DELIVERY_SQL } from "./hot-sql.ts"
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
    const current = totals.map(({ lineId, before }) => isSame(cache.currentTotal(lineId), before))
    const effects = recordAll(
      totals.filter((_, i) => current[i]),
      receivedAt,
      source,
    )
    let next = 0
    return current.map((isCurrent) => (isCurrent ? (effects[next++] ?? "outdated") : "outdated"))
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
      return totals.map((total) => effectOf(currentTotal.get(total.lineId) ?? undefined, total))
    },
  }
}

function isSame(current: DeliveryTotal | undefined, before: DeliveryTotal | null): boolean {
  if (current === undefined || before === null) return current === undefined && before === null
  return current.asOf === before.asOf && current.quantity === before.quantity
}
