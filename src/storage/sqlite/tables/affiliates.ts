import type { Affiliates, SoldCode } from "../../port/store.ts"
import { sellerTerms } from "../cache/seller-terms.ts"
import type { Connection } from "../engine/connection.ts"
import { multiRowInsert, ROWS_AT_ONCE } from "../engine/multi-row-insert.ts"
import { AFFILIATE_SQL, upsertMetrics } from "./hot-sql.ts"

export function affiliates(connection: Connection): Affiliates {
  const { database, caches, write } = connection
  const codeSold = database.query<SoldCode, [string, number]>(AFFILIATE_SQL.codeSold)
  const codesSold = sellerTerms(connection, (code, sellerId) => codeSold.get(code, sellerId))
  const lineOfCode = database.query<{ lineId: number }, [number, string]>(AFFILIATE_SQL.lineOfCode)
  const upsertCode = database.query<unknown, [number, string, number, string | null, number]>(AFFILIATE_SQL.upsertCode)
  const insertPlacement = database.query<unknown, [number, string]>(AFFILIATE_SQL.insertPlacement)
  const saveAllMetrics = multiRowInsert(database, 7, upsertMetrics)

  return {
    codesSold,
    // Only a code that moves to another line affects the caches: codes that are not found are not cached.
    async saveCodes(sellerId, rows, at, termsRevision) {
      const saved = await write.runJudged(termsRevision, () => {
        let isMoved = false
        for (const { code, lineId, slug } of rows) {
          isMoved ||= (lineOfCode.get(sellerId, code)?.lineId ?? lineId) !== lineId
          upsertCode.run(sellerId, code, lineId, slug ?? null, at)
          insertPlacement.run(sellerId, code)
        }
        if (isMoved) caches.changed()
        return true
      })
      return saved ?? false
    },
    async saveMetrics(rows, at, termsRevision) {
      const saved = await write.runJudged(termsRevision, () => {
        const values: (number | string | null)[] = []
        for (const { codeId, lineId, date, clicks, conversions, conversionValueMicros: value } of rows) {
          values.push(codeId, date, clicks ?? null, conversions ?? null, value ?? null, at, lineId)
          if (values.length < 7 * ROWS_AT_ONCE) continue
          saveAllMetrics(values)
          values.length = 0
        }
        saveAllMetrics(values)
        return true
      })
      return saved ?? false
    },
  }
}
