import { type Behind, WriteBehind } from "../../steps/behind/write-behind.ts"
import { outsideRequests } from "./deadline.ts"
import type { Access, Transaction } from "./transaction.ts"

export type RowsBehind<Row> = WriteBehind<Row, [transaction: Transaction], Promise<void>>
export type WriteRows<Row> = (rows: readonly Row[], transaction: Transaction) => Promise<void>

export type WriteBuffer = ReturnType<typeof writeBuffer>

export function writeBuffer({ recordFigures }: Pick<Access, "recordFigures">) {
  const all: RowsBehind<never>[] = []
  // One transaction at a time: two would write the same.
  let underWay: PromiseWithResolvers<void> | null = null
  // What fails goes alone from then on, so that it does not cost others their shared transaction again and again.
  let goesAlone = false

  const isDue = () => all.some((rows) => rows.isDue())

  /** Rows on their way. Exactly one of `committed` and `failed` has to be called. */
  function begin() {
    const own = Promise.withResolvers<void>()
    let carried: RowsBehind<never>[] = []
    underWay = own
    const end = (hasFailed: boolean) => {
      goesAlone = hasFailed
      underWay = null
      own.resolve()
    }
    return {
      async write(transaction: Transaction) {
        carried = all.filter((rows) => rows.isDue())
        for (const rows of carried) await rows.write(transaction)
      },
      committed() {
        for (const rows of carried) rows.written()
        end(false)
      },
      failed: () => end(true),
    }
  }

  async function flush(): Promise<void> {
    for (const rows of all) rows.collect()
    while (underWay !== null) await underWay.promise
    if (!isDue()) return
    const carried = begin()
    try {
      await outsideRequests(() => recordFigures((transaction) => carried.write(transaction)))
    } catch (cause) {
      carried.failed()
      throw cause
    }
    carried.committed()
  }

  return {
    behind<Row>(kind: Behind<Row>, write: WriteRows<Row>) {
      const rows: RowsBehind<Row> = new WriteBehind(kind, write, flush)
      all.push(rows as unknown as RowsBehind<never>)
      return rows
    },
    /** What a transaction should carry along; null when nothing is due, or another transaction is carrying them already. */
    carry: () => (underWay === null && !goesAlone && isDue() ? begin() : null),
    flush,
  }
}
