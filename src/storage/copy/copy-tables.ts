import { createHash } from "node:crypto"
import { UserError } from "../../domain/user-error.ts"
import type { Copied, MoveOptions } from "../port/copies.ts"
import { fromLines, rowsIn } from "./copy-text.ts"
import type { CopySource, CopyTarget, Lines, ReadSide, TableShape, WriteSide } from "./sides.ts"

type TableDigest = Copied["tables"][string]
type CopyOptions = Pick<MoveOptions, "progress">

const TOTALS = "delivery_total"
const TOTAL = "quantity"

/** Throws when the target cannot hold some text of the source. Asked before anything is written. */
export async function refuseUnstorable(from: ReadSide, to: WriteSide, tables: readonly TableShape[]): Promise<void> {
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

async function refuseUnstorableNow(source: CopySource, to: WriteSide, tables: readonly TableShape[]): Promise<void> {
  await using present = await source.snapshot()
  await refuseUnstorable(present, to, tables)
}

/** Copies every table, then reads the target back and compares. The source must stand still. Throws when anything differs. */
export async function copyTables(
  from: ReadSide,
  to: WriteSide,
  tables: readonly TableShape[],
  { progress }: CopyOptions = {},
): Promise<Copied> {
  const copied: Record<string, TableDigest> = {}
  for (const table of tables) {
    const digest = tableDigest((rows) => progress?.("copy", table.name, rows))
    await to.write(table, watched(from.lines(table), digest.add))
    copied[table.name] = digest.result()
  }
  for (const table of tables) await compare(from, to, table, copied[table.name], progress)
  const delivered = await sumOfTotals(from, tables)
  if (delivered !== (await sumOfTotals(to, tables))) throw notEqual(to, TOTALS, "the sum of the totals differs")
  await to.finish(tables, await from.catalogueRevision())
  return { tables: copied, delivered }
}

async function compare(
  from: ReadSide,
  to: WriteSide,
  table: TableShape,
  expected: TableDigest | undefined,
  progress: CopyOptions["progress"],
): Promise<void> {
  const read = tableDigest((rows) => progress?.("check", table.name, rows))
  for await (const text of to.lines(table)) read.add(text)
  const actual = read.result()
  const [here, there] = [await from.count(table), await to.count(table)]
  if (here !== there || actual.rows !== there) throw notEqual(to, table.name, `${here} rows became ${there}`)
  if (actual.digest !== expected?.digest) throw notEqual(to, table.name, "its content differs")
}

const notEqual = ({ name }: WriteSide, table: string, why: string): UserError =>
  new UserError(`The copy in ${name} is not equal to its source: ${table}, ${why}. The copy was not kept.`)

async function sumOfTotals(side: Pick<ReadSide, "lines">, tables: readonly TableShape[]): Promise<number> {
  const table = tables.find(({ name }) => name === TOTALS)
  if (table === undefined) return 0
  const index = table.columns.findIndex(({ name }) => name === TOTAL)
  let sum = 0
  for await (const text of side.lines(table)) for (const row of fromLines(text, table)) sum += Number(row[index])
  return sum
}

async function* watched(lines: Lines, seen: (text: string) => void): Lines {
  for await (const text of lines) {
    seen(text)
    yield text
  }
}

function tableDigest(progress: (rows: number) => void) {
  const hash = createHash("sha256")
  let rows = 0
  return {
    add(text: string) {
      hash.update(text)
      rows += rowsIn(text)
      progress(rows)
    },
    result: (): TableDigest => ({ rows, digest: hash.digest("hex") }),
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
  // The source first: a wrong one must leave no trace in the target.
  let still = await source.standStill()
  if (typeof still !== "string") opened.use(still)
  const inProgress = opened.use(await target.begin())
  const { side } = inProgress
  // Nobody should stop a server to be told then that nothing can be copied.
  if (typeof still === "string") await refuseUnstorableNow(source, side, tables)
  while (typeof still === "string") {
    await waitUntilFree(still)
    still = await source.standStill()
    if (typeof still !== "string") opened.use(still)
  }
  begins()
  await refuseUnstorable(still, side, tables)
  const copied = await copyTables(still, side, tables, { progress })
  await inProgress.keep()
  return copied
}
