import { Trouble } from "../../domain/trouble.ts"
import { databaseTrouble } from "./database-trouble.ts"
import { holdDirectory } from "./directory-lock.ts"
import { finishReplacing } from "./replace-file.ts"

/** Held by whoever works on the database of a directory: meanwhile no other file is put in its place. */
export function holdOpen(dataDirectory: string): Disposable {
  try {
    const held = finishReplacing(dataDirectory) && holdDirectory(dataDirectory)
    if (held !== false) return held
  } catch (cause) {
    throw databaseTrouble(cause, `The data directory ${dataDirectory}`) ?? cause
  }
  throw new Trouble("A backup is being restored into this data directory. Try again when that is done.")
}

/** For every command that works on what is there. */
export function noDatabase(dataDirectory: string): Trouble {
  return new Trouble(
    `There is no Adbooth database in ${dataDirectory}. --data names another directory; "adbooth serve", "adbooth import" or "adbooth restore" creates a database.`,
  )
}
