import { inArray, type SQL, sql } from "drizzle-orm"
import { PgDialect } from "drizzle-orm/pg-core"
import { postgresKit } from "../../schema/kit.ts"
import { tables } from "../../schema/tables.ts"
import { type Forgets, notingWrites } from "../../steps/cache-drops.ts"
import type { BulkRows, BulkSteps, LaterSteps, ReadTx, Step, Steps, Tx } from "../../steps/step.ts"
import { all } from "../../steps/step.ts"
import type { Caches } from "./caches.ts"
import type { Connection } from "./connection.ts"
import { findable, type Session, type Value } from "./session.ts"
import { type Access, LOCK_CHANGES, type Revisions, type Transaction } from "./transaction.ts"

/** A step is one change, run query by query. */
export function steps({ read, transact, recordFigures, caches }: Access & Pick<Connection, "caches">): Steps {
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
    query: (work) => read((session) => run(work(readTxOn(session, caches)))),
  }
}

/** Steps that write rows along with other transactions. */
export function laterSteps({ write }: Pick<Connection, "write">): LaterSteps {
  return {
    behind: (kind, step) => write.behind(kind, (rows, transaction) => run(step(txOn(transaction), rows))),
    flush: () => write.flushBehind(),
  }
}

const postgresTables = tables(postgresKit)
const dialect = new PgDialect()

/** Without caches in a transaction, which tells them what it has seen when it is committed. */
function readTxOn(session: Session, caches?: Caches): ReadTx {
  const rows = <Row>(query: SQL) => {
    const { sql: text, params } = dialect.sqlToQuery(query)
    return session.rows<Row>(text, (params as Value[]).map(findable))
  }
  return {
    ...postgresTables,
    db: session.drizzle,
    statement: <Row>(query: SQL) => handWritten(() => rows<Row>(query)),
    numbers: (query, names) =>
      handWritten(async () => {
        // One row with a list of each column is read in a third of the time that many rows take.
        const lists = sql.raw(names.map((name) => `array_agg("${name}"::double precision) AS "${name}"`).join(", "))
        const [columns] = await rows<Record<string, number[] | null>>(sql`SELECT ${lists} FROM (${query}) AS n`)
        const found: Record<string, number>[] = []
        for (const name of names) {
          for (const [i, value] of columns?.[name]?.entries() ?? []) {
            const row = found[i] ?? {}
            row[name] = value
            found[i] = row
          }
        }
        return found as never
      }),
    // Left to choose how to join, PostgreSQL would sometimes read the whole table.
    joinReport: (key) => sql`CROSS JOIN LATERAL (SELECT * FROM delivery_report r WHERE ${key} LIMIT 1) AS r`,
    firstStatement: <Row>(select: SQL, joins: SQL) =>
      handWritten(async () => {
        const query = sql`SELECT ${select}, r.terms, r.catalogue FROM revision AS r ${joins}`
        const answer = await rows<Row & Revisions>(query)
        const [first] = answer
        if (first !== undefined) caches?.saw(first.terms, first.catalogue)
        return answer
      }),
  }
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

/** A query that is sent when its turn has come, as Drizzle's are. */
const handWritten = <Row>(ask: () => Promise<Row[]>): PromiseLike<Row[]> => ({ ask }) as never

// Queries that nobody waits for are only written down until something is waited for. A server that hears nothing for long takes the
// connection for lost.
const SENT_MAX = 50

/**
 * Queries go out in their order, and only the answers that the step needs are waited for. Whatever happens, it ends after the last answer:
 * a query that is still on its way must not arrive after the rollback.
 */
async function run<Result>(step: Step<Result>): Promise<Result> {
  const sent: Promise<unknown>[] = []
  let wasOurs = false
  try {
    let next = step.next()
    while (!next.done) {
      const { query, isNeeded } = next.value
      const { ask } = query as { readonly ask?: () => Promise<unknown> }
      const isOurs = ask !== undefined
      // Drizzle sends a little later than we do, so that one of ours would overtake it.
      if (sent.length === SENT_MAX || (sent.length > 0 && isOurs !== wasOurs)) await lastOf(sent)
      wasOurs = isOurs
      sent.push(isOurs ? ask() : Promise.resolve(query))
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
          { ...LONG, moves: () => "catalogue", locksLater },
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
