import { type DeliveryEffect, type DeliverySource, type DeliveryTotal, effectOf } from "../../domain/delivery.ts"
import type { Moment } from "../../domain/moment.ts"
import type { Deliveries, ReportedTotal, SoldLine } from "../store.ts"
import type { Connection } from "./connection.ts"
import { DELIVERY_SQL } from "./hot-sql.ts"
import { sellersThings } from "./sellers-things.ts"

/** The current total of a line, and the report of it that arrived last: the end of the chain that is its history. */
interface CurrentTotal extends DeliveryTotal {
  readonly lastAsOf: Moment
  readonly lastQuantity: number
}

type Report = [lineId: number, asOf: Moment, quantity: number, receivedAt: Moment, sourceId: number]
type Link = [asOf: Moment | null, quantity: number | null]

export function deliveries(connection: Connection): Deliveries {
  const { database, reading, write } = connection
  const lineSold = database.query<SoldLine, [string, number]>(DELIVERY_SQL.lineSold)
  const linesSold = sellersThings(connection, (packageId, sellerId) => lineSold.get(packageId, sellerId))
  const currentTotal = database.query<CurrentTotal, [number]>(DELIVERY_SQL.currentTotal)
  const keepHistory = database.query<unknown, [...Report, ...Link]>(DELIVERY_SQL.keepHistory)
  const keepCurrent = database.query<unknown, [number, Moment, number, ...Link]>(DELIVERY_SQL.keepCurrent)
  const keepLast = database.query<unknown, [number, ...Link]>(DELIVERY_SQL.keepLast)
  const findSource = database.query<{ id: number }, [string, string, string]>(DELIVERY_SQL.findSource)
  const addSource = database.query<{ id: number }, [string, string, string]>(DELIVERY_SQL.addSource)

  function sourceId({ kind, reference, detail }: DeliverySource): number {
    const source = findSource.get(kind, reference, detail) ?? addSource.get(kind, reference, detail)
    if (source === null) throw new Error("a delivery source was neither found nor added")
    return source.id
  }

  function keepOne({ lineId, asOf, quantity }: ReportedTotal, receivedAt: Moment, source: number): DeliveryEffect {
    const current = currentTotal.get(lineId) ?? undefined
    const effect = effectOf(current, { asOf, quantity })
    if (effect === "unchanged" && current?.asOf === asOf) return effect
    const { lastAsOf = null, lastQuantity = null } = current ?? {}
    const { changes } = keepHistory.run(lineId, asOf, quantity, receivedAt, source, lastAsOf, lastQuantity)
    const last: Link = changes > 0 ? [asOf, quantity] : [lastAsOf, lastQuantity]
    if (effect !== "older_than_current") keepCurrent.run(lineId, asOf, quantity, ...last)
    else if (changes > 0) keepLast.run(lineId, asOf, quantity)
    return effect
  }

  return {
    linesSold: async (sellerId, packageIds) => linesSold(sellerId, packageIds),
    keep: (totals, { receivedAt, source }) =>
      write.run(() => {
        const id = sourceId(source)
        return totals.map((total) => keepOne(total, receivedAt, id))
      }),
    async preview(totals) {
      reading.join()
      return totals.map((total) => effectOf(currentTotal.get(total.lineId) ?? undefined, total))
    },
  }
}
