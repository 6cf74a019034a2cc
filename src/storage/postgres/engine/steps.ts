// Promise: a step runs query by query in one transaction, all of it or nothing.
// Held by test/storage/contract/steps.test.ts.
import { inArray, type SQL, sql } from "drizzle-orm"
import { PgDialect } from "drizzle-orm/pg-core"
import { postgresKit } from "../../schema/kit.ts"
import type { Forgets } from "../../schema/table-properties.ts"
import { tables } from "../../schema/tables.ts"
import { type Behind, WriteBehind } from "../../steps/behind/write-behind.ts"
import { notingWrites } from "../../steps/cache-drops.ts"
import type { BulkRows, BulkSteps, LaterSteps, ReadTx, Step, Steps, Tx } from "../../steps/step.ts"
import { findable, type Session, type Value } from "./session.ts"
import type { Access, Transaction } from "./transaction.ts"

/** A step is one change, run query by query. */
export function steps({ read, transact, recordFigures }: Access): Steps {
  return {
    transact(work) {
      let moves: () => Forgets = () => "nothing"
      return transact(
        (transaction) => {
          const { tx, forgets } = notingWrites(txOn(transaction))
          moves = forgets
          return run(work(tx))
        },
        { moves: () => moves() },
      )
    },
    transactBeside: (work) => recordFigures((transaction) => run(work(txOn(transaction)))),
    query: (work) => read((session) => run(work(readTxOn(session)))),
  }
}

type RowsBehind<Row> = WriteBehind<Row, [transaction: Transaction], Promise<void>>

/** Rows that no request waits for: every few seconds, and when there are many, all of them in a transaction of their own. */
export function laterSteps({ recordFigures }: Access): LaterSteps {
  const all: RowsBehind<never>[] = []
  let last: Promise<unknown> = Promise.resolve()

  async function writeDue(): Promise<void> {
    for (const rows of all) rows.collect()
    const due = all.filter((rows) => rows.isDue())
    if (due.length === 0) return
    await recordFigures(async (transaction) => {
      for (const rows of due) await rows.write(transaction)
    })
    for (const rows of due) rows.written()
  }

  // One at a time: two would write the same.
  function flush(): Promise<void> {
    const mine = last.then(writeDue)
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    behind<Row>(kind: Behind<Row>, step: (tx: Tx, rows: readonly Row[]) => Step<void>) {
      const write = (given: readonly Row[], transaction: Transaction) => run(step(txOn(transaction), given))
      const rows: RowsBehind<Row> = new WriteBehind(kind, write, flush)
      all.push(rows as unknown as RowsBehind<never>)
      return rows
    },
    flush,
  }
}

const postgresTables = tables(postgresKit)
const dialect = new PgDialect()

function readTxOn(session: Session): ReadTx {
  const statement = <Row>(query: SQL): PromiseLike<Row[]> => {
    const { sql: text, params } = dialect.sqlToQuery(query)
    return sentWhenAwaited(() => session.rows<Row>(text, (params as Value[]).map(findable)))
  }
  return {
    ...postgresTables,
    db: session.drizzle,
    statement,
    numbers: (query) => statement(query) as never,
    // Left to choose how to join, PostgreSQL would sometimes read the whole table.
    joinReport: (key) => sql`CROSS JOIN LATERAL (SELECT * FROM delivery_report r WHERE ${key} LIMIT 1) AS r`,
  }
}

/** As Drizzle's queries are. */
const sentWhenAwaited = <Row>(send: () => Promise<Row[]>): PromiseLike<Row[]> => ({
  // biome-ignore lint/suspicious/noThenProperty: it is waited for.
  then: (resolve, reject) => send().then(resolve, reject),
})

async function run<Result>(step: Step<Result>): Promise<Result> {
  let next = step.next()
  while (!next.done) next = step.next(await next.value)
  return next.value
}

function txOn(transaction: Session & Pick<Transaction, "catalogue">): Tx {
  const reading = readTxOn(transaction)
  return {
    ...reading,
    db: transaction.drizzle,
    catalogueRevision: () => transaction.catalogue,
    lockTotals: (lineIds) =>
      reading.statement(
        sql`SELECT 1 FROM delivery_total WHERE ${inArray(sql`line_id`, [...lineIds])} ORDER BY line_id FOR UPDATE`,
      ),
    insertMany(table, rows, onConflict) {
      const names = sql.raw(Object.keys(rows.columns).join(", "))
      const tail = sql.raw(onConflict === undefined ? "" : `ON CONFLICT ${onConflict}`)
      const given = sql`SELECT ${names} FROM ${asTable(rows)} ORDER BY place`
      return reading.statement(sql`INSERT INTO ${sql.raw(table)} (${names}) ${given} ${tail}`)
    },
  }
}

const TYPES = { text: "text", number: "double precision", flag: "integer" }

/** One parameter holds all rows, as JSON. */
function asTable({ columns, rows }: BulkRows): SQL {
  const names = Object.keys(columns)
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${TYPES[type]}`)
  return sql`ROWS FROM (json_to_recordset(${JSON.stringify(rows)}::text::json) AS (${sql.raw(typed.join(", "))}))
    WITH ORDINALITY AS p (${sql.raw([...names, "place"].join(", "))})`
}

// A hundred thousand lines take some seconds.
const LONG = { withinMs: 120_000, moves: (): Forgets => "catalogue" }
// To look at every row there is.
const LONG_READ = { withinMs: 600_000, atOneMoment: true }

export function bulkSteps({ read, transact }: Pick<Access, "read" | "transact">): BulkSteps {
  return {
    transactBulk(lists, work) {
      const tables = Object.entries<BulkRows>(lists).map(([name, rows]) => [name, asTable(rows)])
      const given = Object.fromEntries(tables) as Record<keyof typeof lists, SQL>
      return transact(async (transaction) => {
        // Until the end of the transaction: a long list is joined and sorted in memory.
        await transaction.rows("SET LOCAL work_mem = '64MB'")
        return run(work({ ...txOn(transaction), given }))
      }, LONG)
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

/** Runs a step within a transaction. */
export const runStep = <Result>(transaction: Transaction, work: (tx: Tx) => Step<Result>): Promise<Result> =>
  run(work(txOn(transaction)))
