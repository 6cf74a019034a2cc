import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Log } from "../../src/log.ts"
import type { OpenOptions } from "../../src/storage/database.ts"
import { isPostgresUrl, openDatabase } from "../../src/storage/engines.ts"
import { databaseFile } from "../../src/storage/sqlite/directory.ts"
import { quickFolder } from "./folder.ts"

const OPENED_WITHIN_TRIES = 10
// Bun opens all connections of a pool at once, and each is a process of PostgreSQL.
const POOL_SIZE = 4
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Opens a database for a test. On a busy machine, PostgreSQL may not answer within the seconds that the program waits. The
 * server tries again then, and so does this.
 */
export async function openTestDatabase(
  location: string,
  log: Log,
  options: OpenOptions = {},
): ReturnType<typeof openDatabase> {
  if (!isPostgresUrl(location)) await createTables(location)
  const place = isPostgresUrl(location) ? withFewConnections(location) : location
  for (let tries = 1; ; tries++) {
    try {
      return await openDatabase(place, log, options)
    } catch (cause) {
      if (tries === OPENED_WITHIN_TRIES || !String(cause).includes("didn't answer in time")) throw cause
    }
  }
}

const withFewConnections = (url: string) => `${url}${url.includes("?") ? "&" : "?"}pool_size=${POOL_SIZE}`

let withTables: Promise<Uint8Array> | undefined

/** Puts a database that has all tables and no rows into the directory. The program takes several times as long to create them. */
async function createTables(directory: string): Promise<void> {
  withTables ??= newDatabase()
  if (!existsSync(databaseFile(directory))) writeFileSync(databaseFile(directory), await withTables, { mode: 0o600 })
}

async function newDatabase(): Promise<Uint8Array> {
  const directory = mkdtempSync(join(quickFolder, "adbooth-template-"))
  await (await openDatabase(directory, QUIET)).close()
  const bytes = readFileSync(databaseFile(directory))
  rmSync(directory, { recursive: true })
  return bytes
}
