import { createWriteStream, existsSync, rmSync, statfsSync } from "node:fs"
import { basename, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { nextAttempt } from "../../domain/alert.ts"
import { messageOf, UserError } from "../../domain/errors.ts"
import {
  type BucketNote,
  type BucketSettings,
  backupName,
  isBackupDue,
  isBackupName,
  type LastBackup,
  NO_COPY_YET,
  outdatedBackups,
} from "../../domain/operations/backup.ts"
import { makePrivateFolder, moveIntoPlace, PRIVATE, workFolderFor } from "../../files.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { type CheckedBackup, checkBackup, preparedCopy, replaceEverything } from "../../storage/copies/backup.ts"
import { holdsData, type Progress } from "../../storage/copies/copy.ts"
import type { Tx } from "../../storage/database.ts"
import { userByEmail } from "../../storage/people/users.ts"
import { readFrom } from "../../storage/sqlite/copy-file.ts"
import type { Actor, BackupService, Context } from "../context.ts"
import { bucketInForce, type LastRestore, saveNote, scheduleInForce, storedSetting } from "../settings.ts"

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

/** Notes in the audit log that a copy of all data was made, left the server or came to it. Nothing in the database changes. */
export async function noteBackup({ clock, database }: Context, actor: Actor, text: string): Promise<void> {
  await database.transact((tx) => addAuditEntry(tx, { at: clock(), actor, organizationId: null, text }))
}

/** What is being done with backups, or what became of it. */
interface BackupWork {
  /** "Making a backup" */
  readonly title: string
  /** Null while it's under way. */
  readonly outcome: { readonly isDone: boolean; readonly text: string } | null
}

// Work on a large database takes longer than a page can wait. Other servers don't know about this process's work.
const works = new WeakMap<BackupService, BackupWork>()

/** The work in progress or the last one. Null if there was none, or if its outcome was already shown. */
export const backupWork = ({ services }: Pick<Context, "services">): BackupWork | null =>
  works.get(services.backups) ?? null

/** Forgets the outcome, once a page has shown it. */
export const forgetBackupWork = ({ services }: Pick<Context, "services">): boolean => works.delete(services.backups)

/**
 * Begins work that returns its outcome in words, or throws. Null if other work is in progress: two restores must not
 * run at once, and no backup may be made during a restore.
 */
export function beginBackupWork(context: Context, title: string, run: () => Promise<string>): Promise<void> | null {
  const key = context.services.backups
  if (works.get(key)?.outcome === null) return null
  works.set(key, { title, outcome: null })
  return run().then(
    (text) => void works.set(key, { title, outcome: { isDone: true, text } }),
    (cause) => void works.set(key, { title, outcome: { isDone: false, text: messageOf(cause) } }),
  )
}

/** Who restores: the operator's email address, because user IDs may differ in the backup. Null for the command line. */
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

/** Makes the scheduled backup if it's due, and copies backups that the bucket doesn't have yet. */
export async function keepBackups(context: Context): Promise<void> {
  const { every } = await scheduleInForce(context)
  const last = await storedSetting(context.database.read, "note.backup")
  if (every.value !== null && isBackupDue(last, context.clock(), every.value)) await makeBackup(context)
  await copyBackups(context)
}

/** Makes a backup right away, at a person's request. */
export async function backUpNow(context: Context, actor: Actor): Promise<LastBackup> {
  await noteBackup(context, actor, "made a backup")
  const made = await makeBackup(context)
  await copyBackups(context)
  return made
}

/** Makes a verified backup, and only then removes the oldest ones beyond the limit. */
async function makeBackup(context: Context): Promise<LastBackup> {
  const { clock, log, services } = context
  const at = clock()
  const name = backupName(at)
  let problem: string | null = null
  try {
    const { bytes } = await services.backups.create(name)
    log.info("backup made", { name, bytes })
  } catch (cause) {
    log.error("backup failed", cause)
    problem = messageOf(cause)
  }
  const made = { at, name, problem }
  await saveNote(context, "note.backup", made)
  if (problem === null) await removeOutdated(context)
  return made
}

async function removeOutdated(context: Context): Promise<void> {
  const { backups } = context.services
  const { keep } = await scheduleInForce(context)
  // The backup that a restore made stays until the next restore. Otherwise it could be removed before the operator
  // needs it.
  const restore = await storedSetting(context.database.read, "note.restore")
  const names = (await backups.list()).map(({ name }) => name).filter((name) => name !== restore?.replaced)
  for (const name of outdatedBackups(names, keep.value, context.clock())) await backups.remove(name)
}

// If the clock is set back, the next attempt must not be delayed for long.
const WAIT_MAX = 2 * 3_600_000_000

/**
 * Copies backups that the bucket doesn't have yet, oldest first. Failures are saved and tried again, with growing
 * pauses.
 */
async function copyBackups(context: Context): Promise<void> {
  const { value: bucket } = await bucketInForce(context)
  if (bucket === null) return
  const before = (await storedSetting(context.database.read, "note.bucket")) ?? NO_COPY_YET
  const now = context.clock()
  if (before.nextTryAt !== null && now < before.nextTryAt && before.nextTryAt - now < WAIT_MAX) return
  const note = await attempt(context, bucket, before)
  if (JSON.stringify(note) === JSON.stringify(before)) return
  if (note.problem === null) context.log.info("backup copied", { name: note.name, copies: note.copies })
  else context.log.warn("backup not copied", { problem: note.problem, advice: note.advice })
  await saveNote(context, "note.bucket", note)
}

async function attempt(context: Context, bucket: BucketSettings, before: BucketNote): Promise<BucketNote> {
  const { clock, services } = context
  const client = services.bucket(bucket)
  let copied: Pick<BucketNote, "copiedAt" | "name"> = before
  try {
    const missing = await missingCopies(context, bucket.keep, before.name)
    if (missing.length === 0 && before.problem === null) return before
    for (const name of missing) {
      await client.copy(join(services.backups.folder, name), name)
      copied = { copiedAt: clock(), name }
    }
    const listed = (await client.list()).filter(({ name }) => isBackupName(name))
    const outdated = outdatedBackups(
      listed.map(({ name }) => name),
      bucket.keep,
      clock(),
    )
    for (const name of outdated) await client.remove(name)
    const copies = listed.filter(({ name }) => !outdated.includes(name))
    return { ...NO_COPY_YET, ...copied, copies: copies.length }
  } catch (cause) {
    const failures = before.failures + 1
    const nextTryAt = nextAttempt(failures, clock(), Math.random())
    return { ...before, ...copied, ...problemIn(cause), failures, nextTryAt }
  }
}

/**
 * The backups on this machine since the last copy. If an older one isn't in the bucket, it was removed there on
 * purpose.
 */
async function missingCopies({ services }: Context, keep: number, lastCopied: string | null): Promise<string[]> {
  const names = (await services.backups.list()).map(({ name }) => name)
  return names.filter((name) => lastCopied === null || name > lastCopied).slice(-keep)
}

/** Bucket problems come with advice. Any other error is reported as it is. */
function problemIn(cause: unknown): Pick<BucketNote, "problem" | "advice"> {
  const { problem, advice, message } = cause as { problem?: string; advice?: string; message?: string }
  return { problem: problem ?? message ?? String(cause), advice: advice ?? "Adbooth tries again by itself." }
}
