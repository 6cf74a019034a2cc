import { createHash } from "node:crypto"
import { UserError } from "../../domain/user-error.ts"
import type { Copied, MoveOptions } from "../port/copies.ts"
import { fromLines, lastKey, rowsIn } from "./copy-text.ts"
import type { CopySource, CopyTarget } from "./sides.ts"
import { EVERYTHING, type KeyRange, type Lines, type ReadSide, type TableShape, type WriteSide } from "./sides.ts"

type TableDigest = Copied["tables"][string]
type CopyOptions = Pick<MoveOptions, "progress">

/** Pieces of a table as they were copied, to find out later which have changed. */
export type Pieces = readonly { readonly range: KeyRange; readonly digest: string }[]

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

/** Copies the tables that can be copied while the source is in use. */
export async function copyAhead(
  from: ReadSide,
  to: WriteSide,
  tables: readonly TableShape[],
  { progress }: CopyOptions = {},
): Promise<ReadonlyMap<string, Pieces>> {
  const copied = new Map<string, Pieces>()
  for (const table of tables.filter(({ standsAlone }) => standsAlone)) {
    const pieces: { range: KeyRange; digest: string }[] = []
    let after: readonly string[] | null = null
    let rows = 0
    const noted = watched(from.lines(table), (text) => {
      const through = lastKey(text, table)
      pieces.push({ range: { after, through }, digest: sha256(text) })
      after = through
      rows += rowsIn(text)
      progress?.("copy", table.name, rows)
    })
    await to.write(table, noted)
    const last = pieces.pop() ?? { range: EVERYTHING, digest: sha256("") }
    copied.set(table.name, [...pieces, { ...last, range: { ...last.range, through: null } }])
  }
  return copied
}

/**
 * Copies every table, except that of those copied ahead only what has changed since is written again; then reads the target back and
 * compares. The source must stand still. Throws when anything differs.
 */
export async function copyTables(
  from: ReadSide,
  to: WriteSide,
  tables: readonly TableShape[],
  { progress, ahead = new Map() }: CopyOptions & { readonly ahead?: ReadonlyMap<string, Pieces> | undefined } = {},
): Promise<Copied> {
  const copied: Record<string, TableDigest> = {}
  for (const table of tables) {
    const pieces = ahead.get(table.name)
    const step = pieces === undefined ? "copy" : "update"
    const digest = tableDigest((rows) => progress?.(step, table.name, rows))
    if (pieces === undefined) await to.write(table, watched(from.lines(table), digest.add))
    else for (const piece of pieces) await updatePiece(from, to, table, piece, digest.add)
    copied[table.name] = digest.result()
  }
  for (const table of tables) await compare(from, to, table, copied[table.name], progress)
  const delivered = await sumOfTotals(from, tables)
  if (delivered !== (await sumOfTotals(to, tables))) throw notEqual(to, TOTALS, "the sum of the totals differs")
  await to.finish(tables, await from.catalogueRevision())
  return { tables: copied, delivered }
}

async function updatePiece(
  from: ReadSide,
  to: WriteSide,
  table: TableShape,
  { range, digest }: Pieces[number],
  add: (text: string) => void,
): Promise<void> {
  const hash = createHash("sha256")
  for await (const text of from.lines(table, range)) {
    hash.update(text)
    add(text)
  }
  if (hash.digest("hex") === digest) return
  await to.removeRange(table, range)
  await to.write(table, from.lines(table, range))
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

function notEqual({ name }: WriteSide, table: string, why: string): UserError {
  return new UserError(`The copy in ${name} is not equal to its source: ${table}, ${why}. The copy was not kept.`)
}

async function sumOfTotals(side: Pick<ReadSide, "lines">, tables: readonly TableShape[]): Promise<number> {
  const table = tables.find(({ name }) => name === TOTALS)
  if (table === undefined) return 0
  const place = table.columns.findIndex(({ name }) => name === TOTAL)
  let sum = 0
  for await (const text of side.lines(table)) for (const row of fromLines(text, table)) sum += Number(row[place])
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

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/**
 * Copies everything to an empty place and proves that it is equal. While the source is in use, what grows without bound is copied ahead.
 * The last step needs the source to stand still, so that nothing written meanwhile is left behind: it waits until nobody has it open,
 * copies the rest and what has changed, and checks all of it. Until its end the target stays empty.
 */
export async function move(
  source: CopySource,
  target: CopyTarget,
  tables: readonly TableShape[],
  { progress, waitForLastStep, lastStep }: MoveOptions,
): Promise<Copied> {
  await using opened = new AsyncDisposableStack()
  // The source first: a wrong one must leave no trace in the target.
  let still = await source.standStill()
  if (typeof still !== "string") opened.use(still)
  const inProgress = opened.use(await target.begin())
  const { side } = inProgress
  const ahead = typeof still === "string" ? await copyInUse(source, side, tables, { progress }) : undefined
  while (typeof still === "string") {
    await waitForLastStep(still)
    still = await source.standStill()
    if (typeof still !== "string") opened.use(still)
  }
  lastStep()
  await refuseUnstorable(still, side, tables)
  const copied = await copyTables(still, side, tables, { progress, ahead })
  await inProgress.keep()
  return copied
}

async function copyInUse(source: CopySource, side: WriteSide, tables: readonly TableShape[], options: CopyOptions) {
  await using snapshot = await source.snapshot()
  await refuseUnstorable(snapshot, side, tables)
  return await copyAhead(snapshot, side, tables, options)
}
