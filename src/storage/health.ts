import type { ReadTx } from "./database.ts"

/** What the probes, the System page and `doctor` need to know about the database. */
export interface Health {
  /** "SQLite 3.53.1" */
  readonly engine: string
  /** Why the next write is likely to fail. Null if it isn't. Throws if the database can't be read. */
  problem(): Promise<string | null>
  /** How many migrations the database has seen, and how many this version knows. */
  schema(): Promise<{ readonly applied: number; readonly known: number }>
  sizeBytes(): Promise<number>
  /** The free space on the disk of the database. Null if it's another machine's. */
  freeBytes(): Promise<number | null>
  /** What is wrong with the stored data, in words. Reads all of it. */
  integrity(): Promise<readonly string[]>
  /** Other facts for the operator. */
  facts(): Promise<readonly Fact[]>
}

export interface Fact {
  readonly label: string
  readonly value: string
}

/** How many current totals aren't the newest report of their line. There are none unless something went wrong. */
export async function wrongTotals(read: ReadTx): Promise<number> {
  const [row] = await read.rows(WRONG_TOTALS, [], { totals: Number })
  return row?.totals ?? 0
}

const WRONG_TOTALS = `SELECT count(*) AS totals FROM delivery_total t WHERE NOT EXISTS (
  SELECT 1 FROM delivery_report r WHERE r.as_of = t.as_of AND r.line_id = t.line_id AND r.quantity = t.quantity)`
