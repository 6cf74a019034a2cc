import { createWriteStream, existsSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { backupName, isBackupName } from "../../domain/operations/backup.ts"
import { UserError } from "../../domain/user-error.ts"
import { makePrivateFolder, moveIntoPlace, PRIVATE } from "../../files.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { type CheckedBackup, checkBackup } from "../../storage/copies/backup.ts"
import type { Actor, Context } from "../context.ts"
import { bucketInForce } from "../settings.ts"

/** The path of a backup in the folder. Throws if the name isn't one of a backup, so that it can't lead anywhere else. */
export function backupPath({ services }: Pick<Context, "services">, name: string): string {
  if (!isBackupName(name)) throw new UserError(`${name} isn't the name of a backup.`)
  return join(services.backups.folder, name)
}

/** Opens a backup from the folder and checks all of it. Throws an error that says what's wrong with it. */
export const checkBackupNamed = (context: Pick<Context, "services">, name: string): Promise<CheckedBackup> =>
  checkBackup(backupPath(context, name), name)

interface ArrivingBackup {
  /** Kept if it's the name of a backup, because that says when it was made. */
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Stores an uploaded backup, once it's checked. Returns the name that it has in the folder. */
export async function receiveBackup(context: Context, actor: Actor, arriving: ArrivingBackup): Promise<string> {
  const name = isBackupName(arriving.name) ? arriving.name : backupName(context.clock())
  await storeBackup(context, { ...arriving, name }, "The uploaded file")
  await noteBackup(context, actor, `uploaded the backup ${name}`)
  return name
}

/** Fetches a copy from the bucket into the folder, from where it can be restored. */
export async function fetchCopy(context: Context, actor: Actor, name: string): Promise<void> {
  const { value: bucket } = await bucketInForce(context)
  if (bucket === null) throw new UserError("No bucket is set up.")
  await storeBackup(context, { name, chunks: context.services.bucket(bucket).read(name) }, name)
  await noteBackup(context, actor, `fetched the backup ${name} from the bucket`)
}

async function storeBackup(context: Context, { name, chunks }: ArrivingBackup, inWords: string): Promise<void> {
  const { folder } = context.services.backups
  makePrivateFolder(folder)
  const path = backupPath(context, name)
  if (existsSync(path)) throw new UserError(`${name} is in the list already.`)
  const partial = join(folder, `.${name}.${crypto.randomUUID()}`)
  try {
    const limited = withinRoom(chunks, roomIn(folder))
    await pipeline(Readable.from(limited), createWriteStream(partial, { flags: "wx", mode: PRIVATE }))
    await checkBackup(partial, inWords)
    moveIntoPlace(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
}

// The server itself needs some space meanwhile.
const ROOM_LEFT = 100 * 1_048_576

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize - ROOM_LEFT
}

async function* withinRoom(chunks: AsyncIterable<Uint8Array>, room: number) {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > room) throw new UserError("There isn't enough free disk space for this backup. Free some first.")
    yield chunk
  }
}

/** Adds an audit entry for a copy of all data that left the server or came to it, although that changes nothing. */
export async function noteBackup({ clock, database }: Context, actor: Actor, text: string): Promise<void> {
  await database.transact((tx) => addAuditEntry(tx, { at: clock(), actor, organizationId: null, text }))
}
