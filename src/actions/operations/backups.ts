import { createWriteStream, rmSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { backupName, isBackupName } from "../../domain/operations/backup.ts"
import { UserError } from "../../domain/user-error.ts"
import { makePrivateFolder, moveIntoPlace, PRIVATE } from "../../files.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { type CheckedBackup, checkBackup } from "../../storage/copies/backup.ts"
import type { Actor, Context } from "../context.ts"

/** The path of a backup in the folder. Throws if the name isn't one of a backup, so that it can't lead anywhere else. */
export function backupPath({ services }: Pick<Context, "services">, name: string): string {
  if (!isBackupName(name)) throw new UserError(`${name} isn't the name of a backup.`)
  return join(services.backups.folder, name)
}

/** Opens a backup of the folder and checks all of it. Throws what's wrong with it, in words. */
export const checkBackupNamed = (context: Pick<Context, "services">, name: string): Promise<CheckedBackup> =>
  checkBackup(backupPath(context, name), name)

/** Stores an uploaded backup, once it's checked. Returns the name that it has in the folder. */
export async function receiveBackup(
  context: Context,
  actor: Actor,
  chunks: AsyncIterable<Uint8Array>,
): Promise<string> {
  const { clock, services } = context
  makePrivateFolder(services.backups.folder)
  const name = backupName(clock())
  const partial = join(services.backups.folder, `.${name}.${crypto.randomUUID()}`)
  try {
    await pipeline(Readable.from(chunks), createWriteStream(partial, { flags: "wx", mode: PRIVATE }))
    await checkBackup(partial, "The uploaded file")
    moveIntoPlace(partial, join(services.backups.folder, name))
  } finally {
    rmSync(partial, { force: true })
  }
  await noteBackup(context, actor, `uploaded the backup ${name}`)
  return name
}

/** Adds an audit entry for a copy of all data that left the server or came to it, although that changes nothing. */
export async function noteBackup({ clock, database }: Context, actor: Actor, text: string): Promise<void> {
  await database.transact((tx) => addAuditEntry(tx, { at: clock(), actor, organizationId: null, text }))
}
