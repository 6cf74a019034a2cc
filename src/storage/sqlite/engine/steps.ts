import type { Step, Steps, Tx } from "../../steps/step.ts"
import { notingWrites } from "../../steps/written.ts"
import * as tables from "../schema.ts"
import type { Connection } from "./connection.ts"

/** A step is one job of the write queue, run in one go. */
export function steps({ drizzle, write, caches }: Pick<Connection, "drizzle" | "write" | "caches">): Steps {
  const db = drizzle as unknown as Tx["db"]
  return {
    transact: (work) =>
      write.runKeepingCaches(() => {
        const { tx, forgets } = notingWrites(tables, db)
        const result = run(work(tx))
        if (forgets() !== "nothing") caches.changed()
        return result
      }),
    query: async (work) => run(work({ ...tables, db })),
  }
}

function run<Result>(step: Step<Result>): Result {
  let next = step.next()
  while (!next.done) next = step.next((next.value.query as unknown as { all(): unknown }).all())
  return next.value
}
