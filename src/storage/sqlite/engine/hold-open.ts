import { UserError } from "../../../domain/user-error.ts"
import { finishInterrupted } from "../backup/replace-file.ts"
import { holdDirectory, holdDirectoryToServe, runningServer } from "./directory-lock.ts"
import { sqliteUserError } from "./sqlite-errors.ts"

/** Held while working on the database of a directory, so that its file is not replaced meanwhile. */
export function holdOpen(dataDirectory: string): Disposable {
  return heldBy(dataDirectory, holdDirectory) ?? refuse()
}

/** Held by a server: commands may work beside it, but no other server. */
export function holdToServe(dataDirectory: string): Disposable {
  const held = heldBy(dataDirectory, holdDirectoryToServe)
  if (held !== null) return held
  const server = runningServer(dataDirectory)
  if (server === null) return refuse()
  throw new UserError(
    `The data directory ${dataDirectory} is in use by another server: ${server}. One directory has one server. ` +
      "Stop that one, or choose another directory with --data.",
  )
}

function heldBy(dataDirectory: string, hold: typeof holdDirectory): Disposable | null {
  try {
    return (finishInterrupted(dataDirectory) && hold(dataDirectory)) || null
  } catch (cause) {
    throw sqliteUserError(cause, `The data directory ${dataDirectory}`) ?? cause
  }
}

function refuse(): never {
  throw new UserError("This data directory is being restored or moved. Try again when that is done.")
}

/** For every command that needs an existing database. */
export function noDatabase(dataDirectory: string): UserError {
  return new UserError(
    `There is no Adbooth database in ${dataDirectory}. Check --data. Only serve, import, restore and move create a database.`,
  )
}
