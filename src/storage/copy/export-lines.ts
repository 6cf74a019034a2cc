import { SERVICE_SECRETS } from "../port/settings.ts"
import { type Cell, fromLines } from "./copy-text.ts"
import type { Lines, ReadSide, TableShape } from "./sides.ts"

// Everything as JSON, one object on each line: first what it is, then every row under the name of its table, then how many there were.
// Numbers and texts are exactly as they are stored; moments are microseconds since 1970.

// Nobody stays signed in, and no open link works, in a copy.
const LEFT_OUT = ["session", "one_time_link"]

const SECRETS: readonly (Cell | undefined)[] = SERVICE_SECRETS

export function exportedTables(tables: readonly TableShape[]): readonly TableShape[] {
  return tables.filter(({ name }) => !LEFT_OUT.includes(name))
}

export async function* exportLines(from: ReadSide, tables: readonly TableShape[], schema: number): Lines {
  const head = { adbooth_export: 1, schema, catalogue_revision: await from.catalogueRevision() }
  yield `${JSON.stringify(head)}\n`
  let rows = 0
  for (const table of exportedTables(tables)) {
    const names = table.columns.map(({ name }) => name)
    for await (const text of from.lines(table)) {
      const exported = fromLines(text, table).filter(([name]) => table.name !== "setting" || !SECRETS.includes(name))
      rows += exported.length
      yield exported.map((cells) => `${JSON.stringify({ [table.name]: asObject(names, cells) })}\n`).join("")
    }
  }
  yield `${JSON.stringify({ end: { rows } })}\n`
}

function asObject(names: readonly string[], cells: readonly Cell[]): Record<string, Cell> {
  return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? null]))
}
