import type { DeliverySource, DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"
import { DELIVERY_SQL } from "../tables/hot-sql.ts"

/** The current total of a line, and the report of it that arrived last: the end of the chain that is its history. */
export interface CurrentTotal extends DeliveryTotal {
  readonly lastAsOf: Moment
  readonly lastQuantity: number
}

// About 150 bytes each. A feed names the same few thousand lines day after day.
const TOTALS_MAX = 20_000
const SOURCES_MAX = 1_000

export interface CurrentTotalCache {
  /** Keeps it bounded. To be called before a request's totals, never among them: what is not written yet is known here alone. */
  makeRoom(): void
  currentTotal(lineId: number): CurrentTotal | undefined
  /** To be called by whoever writes another one. */
  remember(lineId: number, total: CurrentTotal): void
  /** The id of a source, which is added when it is new. */
  sourceId(source: DeliverySource): number
}

/**
 * What a write transaction has to know before it writes an item. It is cached from one transaction to the next: to read it anew for
 * each item would take a quarter of the time. For use inside write transactions only.
 */
export function currentTotalCache({ database, caches }: Connection): CurrentTotalCache {
  const readTotal = database.query<CurrentTotal, [number]>(DELIVERY_SQL.currentTotal)
  const findSource = database.query<{ id: number }, [string, string, string]>(DELIVERY_SQL.findSource)
  const addSource = database.query<{ id: number }, [string, string, string]>(DELIVERY_SQL.addSource)
  const totals = caches.map<number, CurrentTotal>()
  const sources = caches.map<string, number>()

  const remember = (lineId: number, total: CurrentTotal) => void totals.set(lineId, total)

  return {
    makeRoom() {
      if (totals.size >= TOTALS_MAX) totals.clear()
    },
    remember,
    currentTotal(lineId) {
      const known = totals.get(lineId)
      if (known !== undefined) return known
      const stored = readTotal.get(lineId) ?? undefined
      if (stored !== undefined) remember(lineId, stored)
      return stored
    },
    sourceId({ kind, reference, detail }) {
      const name = JSON.stringify([kind, reference, detail])
      const known = sources.get(name)
      if (known !== undefined) return known
      const source = findSource.get(kind, reference, detail) ?? addSource.get(kind, reference, detail)
      if (source === null) throw new Error("a delivery source was neither found nor added")
      if (sources.size >= SOURCES_MAX) sources.clear()
      sources.set(name, source.id)
      return source.id
    },
  }
}
