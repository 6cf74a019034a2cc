import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { Readable, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { makePrivateFolder, PRIVATE } from "../../files.ts"
import { csvLines, exportedTables, exportLines } from "../../storage/copies/export-all.ts"
import type { Context } from "../context.ts"

/** Writes everything but secrets as JSON lines, as it is at one moment. */
export async function exportEverything({ database }: Pick<Context, "database">, target: Writable): Promise<void> {
  await database.snapshot((read) =>
    pipeline(Readable.from(exportLines(read)), target, { end: target !== process.stdout }),
  )
}

/** Writes a CSV file for each table into a folder. Returns their names. */
export async function exportTables(
  { database }: Pick<Context, "database">,
  folder: string,
): Promise<readonly string[]> {
  makePrivateFolder(folder)
  return database.snapshot(async (read) => {
    const names: string[] = []
    for (const table of exportedTables(read)) {
      const name = `${table.name}.csv`
      await pipeline(Readable.from(csvLines(table)), createWriteStream(join(folder, name), { mode: PRIVATE }))
      names.push(name)
    }
    return names
  })
}
