import type { ReadTx } from "./database.ts"

/**
 * A number that grows whenever something changes that an answer of the sales agent shows. Whoever caches such rows reads it before the
 * rows, and again before each use.
 */
export async function catalogueRevision(read: ReadTx): Promise<number> {
  const [row] = await read.rows("SELECT number FROM revision WHERE name = 'catalogue'", [], { number: Number })
  return row?.number ?? 0
}
