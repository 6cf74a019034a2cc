import { existsSync } from "node:fs"
import { join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { renameWhenOnDisk } from "../../../files/new-file.ts"
import { type CopySource, type CopyTarget, type ReadSide, refuseOtherVersion } from "../../copy/sides.ts"
import { verifyBackup } from "../backup/backup-file.ts"
import { finishInterrupted, hasDatabase, holdOpen, noDatabase } from "../engine/data-directory.ts"
import { holdDirectoryAlone, workFolder } from "../engine/directory-lock.ts"
import { SCHEMA_VERSION } from "../engine/migrate.ts"
import { databasePath, makeDirectory } from "../engine/open.ts"
import { sqliteReadSide, sqliteWriteSide } from "./sides.ts"

export function sqliteSource(dataDirectory: string): CopySource {
  const path = databasePath(dataDirectory)

  function read(held: Disposable): ReadSide & AsyncDisposable {
    using resources = new DisposableStack()
    resources.use(held)
    const side = resources.use(sqliteReadSide(path))
    refuseOtherVersion(side.schemaVersion, SCHEMA_VERSION, `The database in ${dataDirectory}`)
    const opened = resources.move()
    return { ...side, [Symbol.asyncDispose]: async () => opened.dispose() }
  }

  return {
    name: dataDirectory,
    async snapshot() {
      if (!hasDatabase(dataDirectory)) throw noDatabase(dataDirectory)
      return read(holdOpen(dataDirectory))
    },
    async standStill() {
      if (!hasDatabase(dataDirectory)) throw noDatabase(dataDirectory)
      if (!finishInterrupted(dataDirectory)) return `A backup is being restored into ${dataDirectory}`
      const alone = holdDirectoryAlone(dataDirectory)
      return alone === false ? `A server or another command has ${dataDirectory} open` : read(alone)
    },
  }
}

/** A data directory without a database, to copy to. The file is filled in a folder of its own and renamed at the end. */
export function sqliteTarget(dataDirectory: string): CopyTarget {
  return {
    name: dataDirectory,
    async begin() {
      using beginning = new DisposableStack()
      beginning.use(makeDirectory(dataDirectory))
      refuseData(dataDirectory)
      const folder = beginning.use(workFolder(dataDirectory))
      const partial = join(folder.path, "copy.db")
      const side = beginning.use(sqliteWriteSide(partial))
      const opened = beginning.move()
      return {
        side,
        async keep() {
          side[Symbol.dispose]()
          verifyBackup(partial, "The copy")
          using alone = holdDirectoryAlone(dataDirectory) || undefined
          if (alone === undefined) throw new UserError(`Another command works in ${dataDirectory}. Nothing was kept.`)
          refuseData(dataDirectory)
          renameWhenOnDisk(partial, databasePath(dataDirectory), null)
        },
        [Symbol.asyncDispose]: async () => opened.dispose(),
      }
    },
  }
}

function refuseData(dataDirectory: string): void {
  if (existsSync(dataDirectory) && hasDatabase(dataDirectory)) {
    throw new UserError(
      `There is a database in ${dataDirectory} already. Nothing was changed. Choose an empty directory.`,
    )
  }
}
