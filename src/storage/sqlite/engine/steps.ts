import type { Step, Steps, Tx } from "../../steps/step.ts"
import { notingWrites } from "../../steps/written.ts"
import * as tables from "../schema.ts"
import type { Connection } from "./connection.ts"

/** A step is one job of the write queue, run in one go. */
export function steps({ drizzle, write, caches }: Pick<Connection, "drizzle" | "write" | "caches">): Steps {
  const { db } = txOn(drizzle)
  return {
    transact: (work) =>
      write.runKeepingCaches(() => {
        const { tx, forgets } = notingWrites(tables, db)
        const result = runNow(work(tx))
        if (forgets() !== "nothing") caches.changed()
        return result
      }),
    query: async (work) => runNow(work({ ...tables, db })),
  }
}

/** The tables, for a step that is run inside a job of the write queue. */
export function txOn(drizzle: Connection["drizzle"]): Tx {
  return { ...tables, db: drizzle as unknown as Tx["db"] }
}

export function runNow<Result>(step: Step<Result>): Result {
  let next = step.next()
  while (!next.done) next = step.next((next.value.query as unknown as { all(): unknown }).all())
  return next.value
}
