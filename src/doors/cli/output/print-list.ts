import { type Io, printJson } from "../io.ts"
import { oneLine, padded } from "./cells.ts"
import { type Colour, coloured } from "./colours.ts"
import { type Column, tableOf } from "./table.ts"

interface Wanted {
  readonly json?: boolean
}

export interface List<Row> {
  readonly columns: readonly Column<Row>[]
  readonly asJson: (row: Row) => unknown
  /** What to say when there are no rows. */
  readonly empty: string
}

/** Prints rows as a table, or as a JSON array. Where there are none, it says so on standard error, so that scripts read nothing. */
export function printList<Row>(io: Io, { json }: Wanted, rows: readonly Row[], list: List<Row>): void {
  if (json) printJson(io, rows.map(list.asJson))
  else if (rows.length === 0) io.err(`${list.empty}\n`)
  else printTable(io, rows, list.columns)
}

export function printTable<Row>(io: Io, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const { text, leftOut } = tableOf(columns, rows, { width: io.columns(), hasColours: io.outHasColours })
  io.outStyled(text)
  if (leftOut.length > 0) io.err(`Not shown, for lack of space: ${leftOut.join(", ")}. --json shows everything.\n`)
}

/** One thing: a name and a value on each line. Values that are null are left out. */
export function printDetails(
  io: Io,
  { json }: Wanted,
  value: unknown,
  details: readonly (readonly [name: string, value: string | null, colour?: Colour])[],
): void {
  if (json) {
    printJson(io, value)
    return
  }
  const shown = details.filter(([, text]) => text !== null)
  const width = shown.reduce((widest, [name]) => Math.max(widest, name.length), 0)
  const lines = shown.map(([name, text, colour]) => {
    const title = coloured(padded(`${name}:`, width + 1), "dim", io.outHasColours)
    return `${title}  ${coloured(oneLine(text ?? ""), colour, io.outHasColours)}\n`
  })
  io.outStyled(lines.join(""))
}
