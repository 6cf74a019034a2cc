import type { Affiliates } from "../store.ts"
import type { Connection } from "./connection.ts"
import { AFFILIATE_SQL } from "./hot-sql.ts"
import { sellersThings } from "./sellers-things.ts"

type Nullable = number | null

export function affiliates(connection: Connection): Affiliates {
  const { database, write } = connection
  const codeId = database.query<{ id: number }, [string, number]>(AFFILIATE_SQL.codeId)
  // A code keeps its id for ever, and its package changes hands only with the catalogue: so what is remembered is right.
  const codesSold = sellersThings(connection, (code, sellerId) => codeId.get(code, sellerId))
  const keepCode = database.query<unknown, [number, string, number, string | null, number]>(AFFILIATE_SQL.keepCode)
  const keepMetric = database.query<unknown, [number, string, Nullable, Nullable, Nullable, number]>(
    AFFILIATE_SQL.keepMetric,
  )

  return {
    codeIds: async (sellerId, codes) => codesSold(sellerId, codes).map((code) => code?.id),
    keepCodes: (sellerId, rows, at) =>
      write.run(() => {
        for (const { code, lineId, slug } of rows) keepCode.run(sellerId, code, lineId, slug ?? null, at)
      }),
    keepMetrics: (rows, at) =>
      write.run(() => {
        for (const { codeId, date, clicks, conversions, conversionValueMicros } of rows) {
          keepMetric.run(codeId, date, clicks ?? null, conversions ?? null, conversionValueMicros ?? null, at)
        }
      }),
  }
}
