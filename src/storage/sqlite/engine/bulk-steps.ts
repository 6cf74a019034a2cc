import { type SQL, sql } from "drizzle-orm"
import type { BulkRows, BulkSteps } from "../../steps/step.ts"
import { catalogueChanged } from "./catalogue-revision.ts"
import type { Connection } from "./connection.ts"
import { multiRowInsert } from "./multi-row-insert.ts"
import { runNow, txOn } from "./steps.ts"

let stages = 0

// Nobody else can write while many rows are written. So they first go into temporary tables, which locks nothing, and a statement copies
// them from there.

export function bulkSteps(connection: Connection): BulkSteps {
  const { database, write } = connection
  const plain = txOn(connection)
  return {
    async transactBulk(lists, work) {
      using staged = new DisposableStack()
      const given = Object.entries<BulkRows>(lists).map(([name, rows]) => {
        const table = `temp.given_${++stages}`
        stage(connection, table, rows)
        staged.defer(() => database.run(`DROP TABLE ${table}`))
        return [name, sql.raw(`${table} AS p`)]
      })
      const tx = {
        ...plain,
        given: Object.fromEntries(given) as Record<keyof typeof lists, SQL>,
        // A job of the queue is alone from its beginning.
        *lock() {},
      }
      return await write.run(() => {
        const result = runNow(work(tx))
        catalogueChanged(connection)
        return result
      })
    },
    queryMoment: async (work) => database.transaction(() => runNow(work(plain)))(),
  }
}

function stage({ database }: Connection, table: string, { columns, rows }: BulkRows): void {
  const names = Object.keys(columns)
  database.run(`CREATE TABLE ${table} (place INTEGER PRIMARY KEY, ${names.join(", ")})`)
  const insert = multiRowInsert(
    database,
    names.length,
    (values) => `INSERT INTO ${table} (${names.join(", ")}) VALUES ${values}`,
  )
  const values = rows.flatMap((row) => names.map((name) => row[name] ?? null))
  database.transaction(() => insert(values))()
}
