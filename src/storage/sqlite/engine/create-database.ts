import { Database } from "bun:sqlite"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { settleAs } from "../../../files/new-file.ts"
import { hasDatabase } from "../backup/replace-file.ts"
import { workFolder } from "../backup/work-folder.ts"
import { holdDirectoryAlone, lastServer } from "./directory-lock.ts"
import { databasePath, lostDatabase, makePrivateFile, markAsOurs } from "./open.ts"
import { sqliteUserError } from "./sqlite-errors.ts"

/**
 * Creates the database of a new installation. It gets its name only with content, so that an empty file is always one that lost it. A
 * directory in which a server has run has lost its database, too.
 */
export function createIfMissing(dataDirectory: string): void {
  const path = databasePath(dataDirectory)
  const isMissing = () => !existsSync(path) && !hasDatabase(dataDirectory)
  if (!isMissing()) return
  if (lastServer(dataDirectory) !== null) throw lostDatabase(path, "is missing, although a server has used it")
  try {
    using alone = holdDirectoryAlone(dataDirectory) || undefined
    // Where another process creates it at this moment, whoever opens it waits for that.
    if (alone !== undefined && isMissing()) create(dataDirectory, path)
  } catch (cause) {
    throw sqliteUserError(cause, `The data directory ${dataDirectory}`) ?? cause
  }
}

function create(dataDirectory: string, path: string): void {
  using folder = workFolder(dataDirectory)
  const partial = join(folder.path, "new.db")
  makePrivateFile(partial)
  using database = new Database(partial)
  markAsOurs(database)
  settleAs(partial, path, { ...statSync(dataDirectory), mode: 0o600 })
}
