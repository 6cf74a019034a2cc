import type { ReadTx } from "../database.ts"

/**
 * A number that grows with every change that affects the sales agent's answers. A cache of such rows must read it
 * before the rows, and again before each use.
 */
export async function catalogueRevision(read: ReadTx): Promise<number> {
  const [row] = await read.rows("SELECT number FROM revision WHERE name = 'catalogue'", [], { number: Number })
  return row?.number ?? 0
}
