import { basename, join } from "node:path"
import { messageOf } from "../../domain/errors.ts"
import { backupName } from "../../domain/operations/backup.ts"
import { makePrivateFolder } from "../../files.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { preparedCopy, replaceEverything } from "../../storage/copies/backup.ts"
import { holdsData, type Progress } from "../../storage/copies/copy.ts"
import { workFolderFor } from "../../storage/copies/work-folder.ts"
import type { Tx } from "../../storage/database.ts"
import { userByEmail } from "../../storage/people/users.ts"
import { readFrom } from "../../storage/sqlite/copy-file.ts"
import type { Context } from "../context.ts"
import { type LastRestore, saveNote, storedSetting } from "../settings.ts"

/** Who restores: the email address of an operator, or null for the command line. User IDs may differ in the backup. */
type Restorer = string | null

interface Restored {
  readonly rows: number
  /** The backup of what was there before, in the folder of backups. Null if there was nothing. */
  readonly replaced: string | null
}

/**
 * Checks a backup and replaces everything with it, in one transaction beside running servers. First a backup of the present is made, so
 * that this can be undone. Whatever fails, the present data stays.
 */
export async function restoreBackup(
  context: Context,
  restorer: Restorer,
  file: string,
  progress?: Progress,
): Promise<Restored> {
  const { clock, database, services } = context
  // Beside the backups, because their disk has room for copies of everything.
  makePrivateFolder(services.backups.folder)
  using folder = workFolderFor(join(services.backups.folder, "restore"))
  const copy = await preparedCopy(file, folder.path)
  const replaced = await keepPresent(context)
  const text = `restored the backup ${basename(file)}`
  const rows = await readFrom(copy, (from) => database.transactAlone((tx) => replaceEverything(tx, from, progress)))
  // In a transaction of its own: only after the first one does PostgreSQL number new rows after the copied ones.
  await database.transact(async (tx) =>
    addAuditEntry(tx, { at: clock(), actor: await actorIn(tx, restorer), organizationId: null, text }),
  )
  return { rows, replaced }
}

/** Makes a backup of the current data. Null if the database is practically empty. */
async function keepPresent({ clock, database, services }: Context): Promise<string | null> {
  if (!(await holdsData(database.read))) return null
  return (await services.backups.create(backupName(clock()))).name
}

async function actorIn(tx: Tx, restorer: Restorer): Promise<string> {
  if (restorer === null) return "command"
  const user = await userByEmail(tx, restorer)
  return user === null ? restorer : `user:${user.id}`
}

/** Restores a backup from the folder, as a page does it, and notes how it went. */
export async function restoreFromFolder(context: Context, restorer: string, name: string): Promise<LastRestore> {
  const { clock, database, log, services } = context
  const at = clock()
  const before = await storedSetting(database.read, "note.restore")
  let note: LastRestore
  try {
    const { replaced } = await restoreBackup(context, restorer, join(services.backups.folder, name))
    note = { at, name, replaced, problem: null }
  } catch (cause) {
    log.error("restore failed", cause, { name })
    // The backup from before the previous restore is still kept.
    note = { at, name, replaced: before?.replaced ?? null, problem: messageOf(cause) }
  }
  await saveNote(context, "note.restore", note)
  return note
}
