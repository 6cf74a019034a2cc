import { createHash } from "node:crypto"
import { UserError } from "../../domain/user-error.ts"
import type { Copied, MoveOptions } from "../port/copies.ts"
import { fromLines, rowsIn } from "./copy-text.ts"
import type { CopySource, CopyTarget, Lines, ReadSide, TableShape, WriteSide } from "./sides.ts"

/** Throws when the target cannot hold some text of the source. */
async function refuseUnstorable(from: ReadSide, to: WriteSide, tables: readonly TableShape[]): Promise<void> {
  if (to.holdsNul) return
  for (const table of tables) {
    const row = await from.rowWithNul(table)
    if (row === null) continue
    throw new UserError(
      `A text in the table ${table.name} (row ${row}) contains the character U+0000, which PostgreSQL cannot store. ` +
        "Nothing was written. Correct that text, then try again.",
    )
  }
}

/** Copies every table, then reads the target back and compares. The source must stand still. Throws when anything differs. */
export async function copyTables(
  from: ReadSide,
  to: WriteSide,
  tables: readonly TableShape[],
  progress?: MoveOptions["progress"],
): Promise<Copied> {
  await refuseUnstorable(from, to, tables)
  const copied = new Map<TableShape, ReturnType<typeof proofOf>>()
  for (const table of tables) {
    const proof = proofOf(table, (rows) => progress?.("copy", table.name, rows))
    await to.write(table, watched(from.lines(table), proof.add))
    copied.set(table, proof)
  }
  const proven: Record<string, Copied["tables"][string]> = {}
  let delivered = 0
  for (const [table, proof] of copied) {
    const readBack = proofOf(table, (rows) => progress?.("check", table.name, rows))
    for await (const text of to.lines(table)) readBack.add(text)
    const [expected, actual] = [proof.result(), readBack.result()]
    const [here, there] = [await from.count(table), await to.count(table)]
    if (here !== there || actual.rows !== there) throw notEqual(to, table, `${here} rows became ${there}`)
    if (actual.digest !== expected.digest) throw notEqual(to, table, "its content differs")
    if (actual.delivered !== expected.delivered) throw notEqual(to, table, "the sum of the totals differs")
    proven[table.name] = { rows: actual.rows, digest: actual.digest }
    delivered += actual.delivered
  }
  await to.finish(tables, await from.catalogueRevision())
  return { tables: proven, delivered }
}

const notEqual = (to: WriteSide, table: TableShape, why: string): UserError =>
  new UserError(`The copy in ${to.name} is not equal to its source: ${table.name}, ${why}. The copy was not kept.`)

async function* watched(lines: Lines, seen: (text: string) => void): Lines {
  for await (const text of lines) {
    seen(text)
    yield text
  }
}

/** What the rows of a table come to that are read one after the other. */
function proofOf({ name, columns }: TableShape, progress: (rows: number) => void) {
  const hash = createHash("sha256")
  const quantity = name === "delivery_total" ? columns.findIndex((column) => column.name === "quantity") : -1
  let rows = 0
  let delivered = 0
  return {
    add(text: string) {
      hash.update(text)
      rows += rowsIn(text)
      if (quantity >= 0) for (const row of fromLines(text, { columns })) delivered += Number(row[quantity])
      progress(rows)
    },
    result: () => ({ rows, digest: hash.digest("hex"), delivered }),
  }
}

/**
 * Copies everything to an empty place and proves that it is equal. The source has to stand still, so that nothing is left behind: this
 * waits until nobody has it open. Until its end the target stays empty.
 */
export async function move(
  source: CopySource,
  target: CopyTarget,
  tables: readonly TableShape[],
  { progress, waitUntilFree, begins }: MoveOptions,
): Promise<Copied> {
  await using opened = new AsyncDisposableStack()
  const hold = async () => {
    const held = await source.standStill()
    return typeof held === "string" ? held : opened.use(held)
  }
  // The source first: a wrong one must leave no trace in the target.
  let still = await hold()
  const { side, keep } = opened.use(await target.begin())
  if (typeof still === "string") {
    // Nobody should stop a server to be told then that nothing can be copied.
    await using present = await source.snapshot()
    await refuseUnstorable(present, side, tables)
  }
  while (typeof still === "string") {
    await waitUntilFree(still)
    still = await hold()
  }
  begins()
  const copied = await copyTables(still, side, tables, progress)
  await keep()
  return copied
}
