import { join } from "node:path"
import { nextAttempt } from "../domain/alert.ts"
import { backupName, isBackupDue, isBackupName, type LastBackup, outdatedBackups } from "../domain/operations/backup.ts"
import { type BucketNote, type BucketSettings, NO_COPY_YET } from "../domain/operations/bucket.ts"
import { addAuditEntry } from "../storage/audit.ts"
import type { Actor, Context } from "./context.ts"
import { bucketInForce, saveNote, scheduleInForce, storedSetting } from "./settings.ts"

/** Makes the scheduled backup if it's due, and copies backups that the bucket doesn't have yet. */
export async function keepBackups(context: Context): Promise<void> {
  const { every } = await scheduleInForce(context)
  const last = await storedSetting(context.database.read, "note.backup")
  if (every.value !== null && isBackupDue(last, context.clock(), every.value)) await makeBackup(context)
  await copyBackups(context)
}

/** Makes a backup right away, at a person's request. */
export async function backUpNow(context: Context, actor: Actor): Promise<LastBackup> {
  await context.database.transact((tx) =>
    addAuditEntry(tx, { at: context.clock(), actor, organizationId: null, text: "made a backup" }),
  )
  const made = await makeBackup(context)
  await copyBackups(context)
  return made
}

/** Makes a verified backup, and only then removes the oldest ones beyond the limit. */
async function makeBackup(context: Context): Promise<LastBackup> {
  const { clock, log, services } = context
  const at = clock()
  const name = backupName(at)
  let result: LastBackup
  try {
    const { bytes } = await services.backups.create(name)
    log.info("backup made", { name, bytes })
    result = { at, name, bytes, problem: null }
  } catch (cause) {
    log.error("backup failed", cause)
    result = { at, name, bytes: null, problem: cause instanceof Error ? cause.message : String(cause) }
  }
  await saveNote(context, "note.backup", result)
  if (result.problem === null) await removeOutdated(context)
  return result
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
    const names = (await client.list()).map(({ name }) => name)
    for (const name of outdatedBackups(names, bucket.keep, clock())) await client.remove(name)
    const copies = (await client.list()).filter(({ name }) => isBackupName(name))
    const bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0)
    return { ...NO_COPY_YET, ...copied, copies: copies.length, bytes }
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
