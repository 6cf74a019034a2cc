import type { Affiliates } from "../store.ts"
import type { Connection } from "./connection.ts"
import { AFFILIATE_SQL } from "./hot-sql.ts"
import { sellerTerms } from "./seller-terms.ts"

type Nullable = number | null

export function affiliates(connection: Connection): Affiliates {
  const { database, caches, write } = connection
  const codeId = database.query<{ id: number }, [string, number]>(AFFILIATE_SQL.codeId)
  const codeIds = sellerTerms(connection, (code, sellerId) => codeId.get(code, sellerId)?.id ?? null)
  const keepCode = database.query<unknown, [number, string, number, string | null, number]>(AFFILIATE_SQL.keepCode)
  const keepPlacement = database.query<unknown, [number, string]>(AFFILIATE_SQL.keepPlacement)
  const keepMetric = database.query<unknown, [number, string, Nullable, Nullable, Nullable, number]>(
    AFFILIATE_SQL.keepMetric,
  )

  return {
    codeIds,
    // A code keeps its id for ever, and is moved among the lines of one seller only: what is cached of it stays right.
    keepCodes: (sellerId, rows, at, judgedAt) =>
      write.runKeepingCaches(() => {
        if (judgedAt !== caches.revision()) return false
        for (const { code, lineId, slug } of rows) {
          keepCode.run(sellerId, code, lineId, slug ?? null, at)
          keepPlacement.run(sellerId, code)
        }
        return true
      }),
    keepMetrics: (rows, at, judgedAt) =>
      write.runKeepingCaches(() => {
        if (judgedAt !== caches.revision()) return false
        for (const { codeId, date, clicks, conversions, conversionValueMicros } of rows) {
          keepMetric.run(codeId, date, clicks ?? null, conversions ?? null, conversionValueMicros ?? null, at)
        }
        return true
      }),
  }
}
