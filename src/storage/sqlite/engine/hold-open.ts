import { UserError } from "../../../domain/user-error.ts"
import { finishInterrupted } from "../backup/replace-file.ts"
import { holdDirectory } from "./directory-lock.ts"
import { sqliteUserError } from "./sqlite-errors.ts"

/** Held while working on the database of a directory, so that its file is not replaced meanwhile. */
export function holdOpen(dataDirectory: string): Disposable {
  try {
    const held = finishInterrupted(dataDirectory) && holdDirectory(dataDirectory)
    if (held !== false) return held
  } catch (cause) {
    throw sqliteUserError(cause, `The data directory ${dataDirectory}`) ?? cause
  }
  throw new UserError("This data directory is being restored or moved. Try again when that is done.")
}

/** For every command that needs an existing database. */
export function noDatabase(dataDirectory: string): UserError {
  return new UserError(
    `There is no Adbooth database in ${dataDirectory}. Check --data. Only serve, import, restore and move create a database.`,
  )
}
