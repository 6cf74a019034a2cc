import type { LaterSteps, Step, Steps } from "../../steps/step.ts"
import { type Forgets, notingWrites } from "../../steps/written.ts"
import * as tables from "../schema.ts"
import type { Connection } from "./connection.ts"
import type { Access } from "./transaction.ts"

/** A step is one change, run query by query. */
export function steps({ read, change, recordFigures }: Pick<Access, "read" | "change" | "recordFigures">): Steps {
  return {
    transact(work) {
      let moves: () => Forgets = () => "nothing"
      return change(
        ({ drizzle: db, catalogue }) => {
          const { tx, forgets } = notingWrites({ ...tables, db, catalogueRevision: () => catalogue })
          moves = forgets
          return run(work(tx))
        },
        { moves: () => moves() },
      )
    },
    transactBeside: (work) =>
      recordFigures(({ drizzle: db, catalogue }) => run(work({ ...tables, db, catalogueRevision: () => catalogue }))),
    query: (work) => read(({ drizzle }) => run(work({ ...tables, db: drizzle }))),
  }
}

/** Steps that write rows along with other transactions. */
export function laterSteps({ write }: Pick<Connection, "write">): LaterSteps {
  return {
    behind: (kind, step) =>
      write.behind(kind, (rows, { drizzle: db, catalogue }) =>
        run(step({ ...tables, db, catalogueRevision: () => catalogue }, rows)),
      ),
    flush: () => write.flushBehind(),
  }
}

/**
 * Queries go out in their order, and only the answers that the step needs are waited for. Whatever happens, it ends after the last answer:
 * a query that is still on its way must not arrive after the rollback.
 */
export async function run<Result>(step: Step<Result>): Promise<Result> {
  const sent: Promise<unknown>[] = []
  try {
    let next = step.next()
    while (!next.done) {
      const { query, isNeeded } = next.value
      sent.push(Promise.resolve(query))
      next = step.next(isNeeded ? await lastOf(sent) : undefined)
    }
    await lastOf(sent)
    return next.value
  } finally {
    await Promise.allSettled(sent)
  }
}

/** The answer to the last query, once all are answered; if some have failed, the first failure. */
async function lastOf(sent: Promise<unknown>[]): Promise<unknown> {
  const answers = await Promise.allSettled(sent.splice(0))
  const failed = answers.find((answer) => answer.status === "rejected")
  if (failed !== undefined) throw failed.reason
  const last = answers.at(-1)
  return last?.status === "fulfilled" ? last.value : undefined
}
