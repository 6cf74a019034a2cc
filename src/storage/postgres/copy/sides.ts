import type { ReservedSQL } from "bun"
import { withOurNumbers } from "../../copy/copy-text.ts"
import { type Lines, namesOf, type ReadSide, type TableShape, type WriteSide } from "../../copy/sides.ts"
import { rowsOf } from "../engine/session.ts"

// Enough for a digest of each to be no burden, and little enough to hold.
const CHARACTERS_AT_ONCE = 500_000

/** Reads in the transaction that the connection is in. */
export function readSide(client: ReservedSQL, name: string): ReadSide {
  return {
    name,
    lines: (table) => lines(client, table),
    async count(table) {
      const [row] = await rowsOf<{ count: number }>(client, `SELECT count(*) AS count FROM "${table.name}"`)
      return row?.count ?? 0
    },
    rowWithNul: async () => null,
    async catalogueRevision() {
      const [row] = await rowsOf<{ catalogue: number }>(client, "SELECT catalogue FROM revision")
      return row?.catalogue ?? 0
    },
  }
}

/** Writes in the transaction that the connection is in. */
export function writeSide(client: ReservedSQL, name: string): WriteSide {
  const { lines: read, count } = readSide(client, name)
  return {
    name,
    holdsNul: false,
    lines: read,
    count,
    write: (table, given) => write(client, table, given),
    async finish(tables, catalogueRevision) {
      for (const { name: table, isNumbered } of tables) if (isNumbered) await numberAfter(client, table)
      await rowsOf(client, "UPDATE revision SET terms = terms + 1, catalogue = greatest(catalogue, $1::bigint) + 1", [
        catalogueRevision,
      ])
      // Without it, nothing is known of what was copied until the server looks by itself, and pages would take seconds.
      await client.unsafe(`ANALYZE ${tables.map(({ name: table }) => `"${table}"`).join(", ")}`).simple()
    },
  }
}

async function numberAfter(client: ReservedSQL, table: string): Promise<void> {
  await client
    .unsafe(
      `SELECT setval(pg_get_serial_sequence('"${table}"', 'id'), coalesce(max(id), 1), max(id) IS NOT NULL) FROM "${table}"`,
    )
    .simple()
}

async function* lines(client: ReservedSQL, table: TableShape): Lines {
  const select = `SELECT ${namesOf(table.columns)} FROM "${table.name}" ORDER BY ${namesOf(table.key)}`
  const decoder = new TextDecoder()
  let pending = ""
  for await (const bytes of client.unsafe(`COPY (${select}) TO STDOUT`).readable()) {
    pending += decoder.decode(bytes, { stream: true })
    if (pending.length < CHARACTERS_AT_ONCE) continue
    const end = pending.lastIndexOf("\n") + 1
    if (end === 0) continue
    yield withOurNumbers(pending.slice(0, end), table)
    pending = pending.slice(end)
  }
  if (pending !== "") yield withOurNumbers(pending, table)
}

async function write(client: ReservedSQL, table: TableShape, given: Lines): Promise<void> {
  const stream = client.unsafe(`COPY "${table.name}" (${namesOf(table.columns)}) FROM STDIN`).writable()
  const writer = stream.getWriter()
  try {
    for await (const text of given) await writer.write(text)
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined)
    throw cause
  }
  await writer.close()
}
