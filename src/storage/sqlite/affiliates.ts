import type { Affiliates } from "../store.ts"
import type { Connection } from "./connection.ts"
import { AFFILIATE_SQL } from "./hot-sql.ts"
import { snapshotReader } from "./snapshot.ts"

type Nullable = number | null

export function affiliates({ database, write }: Connection): Affiliates {
  const inOneSnapshot = snapshotReader(database)
  const codeId = database.query<{ id: number }, [number, string]>(AFFILIATE_SQL.codeId)
  const keepCode = database.query<unknown, [number, string, number, string | null, number]>(AFFILIATE_SQL.keepCode)
  const keepMetric = database.query<unknown, [number, string, Nullable, Nullable, Nullable, number]>(
    AFFILIATE_SQL.keepMetric,
  )

  return {
    async codeIds(sellerId, codes) {
      // A feed names the same code on many days; it is looked up once.
      const distinct = [...new Set(codes)]
      const found = inOneSnapshot(distinct, (code) => codeId.get(sellerId, code)?.id)
      const ids = new Map(distinct.map((code, i) => [code, found[i]]))
      return codes.map((code) => ids.get(code))
    },
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
