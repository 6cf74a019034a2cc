import { Database } from "bun:sqlite"

/** Writes down every statement that any connection prepares from now on, Drizzle's included, until it is disposed of. */
export function recordSql(): Disposable & { readonly statements: Set<string>; readonly prepared: () => number } {
  const statements = new Set<string>()
  let prepared = 0
  const { query, prepare } = Database.prototype
  const recorded = <Ask extends (...args: never[]) => unknown>(ask: Ask) =>
    function (this: Database, ...args: Parameters<Ask>) {
      statements.add(String(args[0]))
      prepared += 1
      return ask.apply(this, args)
    } as Ask
  Object.assign(Database.prototype, { query: recorded(query), prepare: recorded(prepare) })
  return {
    statements,
    prepared: () => prepared,
    [Symbol.dispose]: () => void Object.assign(Database.prototype, { query, prepare }),
  }
}

export interface PlanStep {
  readonly detail: string
  /** Whether it is done again for each row of what is around it. */
  readonly isRepeated: boolean
}

/** What SQLite would do for a statement, step by step. */
export function planOf(database: Database, sql: string): PlanStep[] {
  const rows = database.query<{ id: number; parent: number; detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all()
  const repeated = new Set<number>()
  return rows.map(({ id, parent, detail }) => {
    const isRepeated = repeated.has(parent)
    if (isRepeated || detail.startsWith("CORRELATED")) repeated.add(id)
    return { detail, isRepeated }
  })
}
