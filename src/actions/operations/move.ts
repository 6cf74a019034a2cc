import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { Readable, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { UserError } from "../../domain/errors.ts"
import { makePrivateFolder, PRIVATE } from "../../files.ts"
import type { Log } from "../../log.ts"
import {
  type CopiedRows,
  copyTables,
  csvLines,
  emptyTables,
  exportedTables,
  exportLines,
  holdsData,
  type Progress,
} from "../../storage/copies/copy.ts"
import type { Database } from "../../storage/database.ts"
import { isPostgresUrl, openDatabase } from "../../storage/engines.ts"
import { inWords, readAddress } from "../../storage/postgres/connect.ts"
import { asMover, otherSessions } from "../../storage/postgres/health.ts"
import { noteMove } from "../../storage/sqlite/directory.ts"
import type { Context } from "../context.ts"

export interface Moved {
  readonly from: string
  readonly to: string
  /** The rows of each table, and a digest that is the same on both sides. */
  readonly tables: CopiedRows
}

/**
 * Copies everything from a data directory or a database URL to another, and proves that both are equal. No server may run on the source,
 * and the target must be empty.
 */
export async function move(from: string, to: string, log: Log, progress?: Progress): Promise<Moved> {
  if (nameOf(from) === nameOf(to)) throw new UserError(`--from and --to are the same place: ${nameOf(from)}.`)
  // Opened as a server would open it, so that none can start meanwhile.
  const source = await openDatabase(isPostgresUrl(from) ? asMover(from) : from, log, {
    server: "adbooth move",
    mayCreate: false,
  })
  try {
    if (isPostgresUrl(from)) await refuseServers(source, nameOf(from))
    const target = await openDatabase(to, log)
    try {
      const tables = await copyBetween(source, target, nameOf(to), progress)
      if (!isPostgresUrl(from)) noteMove(from, nameOf(to))
      return { from: nameOf(from), to: nameOf(to), tables }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** No other process can write to the source until the target is committed. */
function copyBetween(source: Database, target: Database, name: string, progress?: Progress) {
  return source.transactAlone((from) =>
    target.transactAlone(async (to) => {
      if (await holdsData(to))
        throw new UserError(`${name} already contains data. Choose an empty directory or database.`)
      await emptyTables(to)
      return copyTables(from, to, progress)
    }),
  )
}

async function refuseServers(source: Database, name: string): Promise<void> {
  const sessions = await otherSessions(source.read)
  if (sessions === 0) return
  throw new UserError(`A server is still connected to ${name} (${sessions} sessions). Stop every server first.`)
}

/** The place in words, without its user and password. */
const nameOf = (place: string): string => (isPostgresUrl(place) ? inWords(readAddress(place)) : place)

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
