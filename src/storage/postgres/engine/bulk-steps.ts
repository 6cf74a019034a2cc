import type { SQL } from "drizzle-orm"
import { all, type BulkRows, type BulkSteps } from "../../steps/step.ts"
import { asTable, handWritten, run, txOn } from "./steps.ts"
import { type Access, LOCK_CHANGES, type Transaction } from "./transaction.ts"

// A hundred thousand lines take some seconds.
const LONG = { withinMs: 120_000 }
// To look at every row there is.
const LONG_READ = { withinMs: 600_000, atOneMoment: true }

export function bulkSteps({ read, transact }: Pick<Access, "read" | "transact">): BulkSteps {
  return {
    async transactBulk(lists, work) {
      const given = Object.entries<BulkRows>(lists).map(([name, rows]) => [name, asTable(rows)])
      const attempt = (locksLater: boolean) =>
        transact(
          async (transaction) => {
            // Until the end of the transaction: a long list is joined and sorted in memory.
            await transaction.rows("SET LOCAL work_mem = '64MB'")
            const tx = {
              ...txOn(transaction),
              given: Object.fromEntries(given) as Record<keyof typeof lists, SQL>,
              *lock() {
                if (locksLater) yield* all(handWritten(() => lockNow(transaction)))
              },
            }
            return run(work(tx))
          },
          { ...LONG, moves: "catalogue", locksLater },
        )
      return await attempt(true).catch((cause) => {
        if (cause instanceof ChangedMeanwhile) return attempt(false)
        throw cause
      })
    },
    queryMoment: (work, takes) =>
      read(
        async (session) => {
          const [revision] = await session.rows<{ catalogue: number }>("SELECT catalogue FROM revision")
          return run(work(txOn({ ...session, catalogue: revision?.catalogue ?? 0 })))
        },
        takes === "long" ? LONG_READ : { atOneMoment: true },
      ),
  }
}

/** Something else was changed before this transaction had its lock, perhaps what it has read. */
class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile"
}

async function lockNow({ rows, terms }: Transaction): Promise<unknown[]> {
  await rows(LOCK_CHANGES)
  const [now] = await rows<{ terms: number }>("SELECT terms FROM revision")
  if (now?.terms !== terms) throw new ChangedMeanwhile("something was changed during the import")
  return []
}
