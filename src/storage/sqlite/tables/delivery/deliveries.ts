import { type CurrentTotal, effectsOf, isStillAt } from "../../../../domain/delivery/current-total.ts"
import type { DeliveryEffect } from "../../../../domain/delivery/delivery.ts"
import type { Deliveries, PreviewedTotal, SoldLine } from "../../../port/store.ts"
import { currentTotalCache } from "../../cache/current-total-cache.ts"
import { sellerTerms } from "../../cache/seller-terms.ts"
import type { Connection } from "../../engine/connection.ts"
import { DELIVERY_SQL } from "../hot-sql.ts"
import { totalsRecorder } from "./record-totals.ts"

export function deliveries(connection: Connection): Omit<Deliveries, "makeDays"> {
  const { database, reading, write } = connection
  const lineSold = database.query<SoldLine, [string, number]>(DELIVERY_SQL.lineSold)
  const linesSold = sellerTerms(connection, (packageId, sellerId) => lineSold.get(packageId, sellerId))
  const currentTotal = database.query<CurrentTotal, [number]>(DELIVERY_SQL.currentTotal)
  const cache = currentTotalCache(connection)
  const recorder = totalsRecorder(database, cache)
  const run = write.gathering(recorder)

  return {
    linesSold,
    record: (totals, { receivedAt, source }, termsRevision) =>
      run(
        termsRevision,
        () => recorder.record(totals, { receivedAt, source: cache.sourceId(source) }) as DeliveryEffect[],
      ),
    recordUnlessOutdated: (totals, { receivedAt, source }, termsRevision) =>
      run(termsRevision, () => recorder.record(totals, { receivedAt, source: cache.sourceId(source), isOutdated })),
    async preview(totals) {
      reading.join()
      return effectsOf(totals, (lineId) => currentTotal.get(lineId) ?? undefined)
    },
  }
}

const isOutdated = ({ before }: PreviewedTotal, current: CurrentTotal | undefined): boolean =>
  !isStillAt(current, before)
