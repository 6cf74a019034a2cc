import type { DeliverySource, DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import type { Connection } from "../engine/connection.ts"
import { DELIVERY_SQL } from "../tables/hot-sql.ts"

// About 100 bytes each. Feeds report the same few thousand lines day after day.
const TOTALS_MAX = 20_000
const SOURCES_MAX = 1_000

export type CurrentTotalCache = ReturnType<typeof currentTotalCache>

/**
 * What a write transaction needs to know before it writes an item, cached across transactions: reading it for each item would take a
 * quarter of the time. Use it inside write transactions only.
 */
export function currentTotalCache({ database, caches }: Connection) {
  const readTotal = database.query<DeliveryTotal, [number]>(DELIVERY_SQL.currentTotal)
  const findSource = database.query<{ id: number }, [string, string, string]>(DELIVERY_SQL.findSource)
  const addSource = database.query<{ id: number }, [string, string, string]>(DELIVERY_SQL.addSource)
  const totals = caches.map<number, DeliveryTotal>()
  const sources = caches.map<string, number>()

  const keep = (lineId: number, total: DeliveryTotal) => void totals.set(lineId, total)

  return {
    isFull: () => totals.size >= TOTALS_MAX,
    clear: () => totals.clear(),
    /** Call it with every total that is written. */
    remember: keep,
    currentTotal(lineId: number): DeliveryTotal | undefined {
      const total = totals.get(lineId)
      if (total !== undefined) return total
      const stored = readTotal.get(lineId) ?? undefined
      if (stored !== undefined) keep(lineId, stored)
      return stored
    },
    /** The id of a source. A new source is inserted. */
    sourceId({ kind, reference, detail }: DeliverySource): number {
      const name = `${kind} ${reference.length} ${reference}${detail}`
      const id = sources.get(name)
      if (id !== undefined) return id
      const source = findSource.get(kind, reference, detail) ?? addSource.get(kind, reference, detail)
      if (source === null) throw new Error("a delivery source was neither found nor added")
      if (sources.size >= SOURCES_MAX) sources.clear()
      sources.set(name, source.id)
      return source.id
    },
  }
}
