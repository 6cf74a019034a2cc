import { isStale, type Seen, seenOf } from "../../domain/edit-conflict.ts"
import {
  type BackupCheck,
  BackupSchedule,
  backupName,
  isBackupDue,
  LastBackup,
  LastRestore,
  outdatedBackups,
  type ScheduleInForce,
  type StartedWith,
  scheduleInForce,
} from "../../domain/operations/backup.ts"
import type { Change } from "../../domain/people/audit.ts"
import { storedAs } from "../../domain/schema/check.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { messageOf } from "../../domain/user-error.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { settingOf } from "../../storage/steps/operations.ts"
import { type Context, type ReportContext, transact, verb } from "../context.ts"
import { setJson, settingAs } from "../settings.ts"

/** Where it is logged what became of a backup. */
interface BackupContext extends Context {
  readonly log: ReportContext["log"] & { info(event: string, fields: Readonly<Record<string, string | number>>): void }
}

/** Where scheduled backups go. */
export interface BackupFolder {
  readonly path: string
  /** Makes a verified copy with this name, without blocking the server. */
  make(
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly file: string; readonly bytes: number; readonly rows: number }>
  /** Opens a backup and verifies it as a whole, without blocking the server. Throws what is wrong with it. */
  check(name: string, signal: AbortSignal): Promise<{ readonly rows: number; readonly schema: number }>
  /** Replaces everything with a backup, once it is verified. */
  restore(name: string, signal: AbortSignal): Promise<{ readonly rows: number }>
  /** Stores a file that arrives from outside, under a name that is not there yet. It is nothing before it was checked. */
  receive(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  list(): Promise<string[]>
  remove(name: string): Promise<void>
  read(name: string): Blob
}

/** What the pages of backups work with: one thing at a time. */
export interface BackupService {
  readonly folder: Pick<BackupFolder, "path" | "list" | "read" | "receive" | "remove">
  /** Makes a backup now, or as soon as a running one has finished. */
  now(): Promise<LastBackup | null>
  /** Verifies a backup, and remembers the result until the server stops. */
  check(name: string): Promise<BackupCheck>
  /** Results by file; null while a check is in progress. */
  readonly checks: ReadonlyMap<string, BackupCheck | null>
  /** Replaces everything with a backup, as soon as a running one has finished. Null when that was not even begun. */
  restore(name: string, by: Restorer): Promise<LastRestore | null>
  /** The backup that is being restored. */
  readonly restoring: string | null
}

export type BackupPlan = Readonly<{ every: Moment; keep: number; folder: BackupFolder }>

/** Makes the next backup if it is due; older ones are deleted only once it is verified. Null when none was due or the signal stopped it. */
export async function keepBackups(context: BackupContext, plan: BackupPlan, signal: AbortSignal) {
  const isDue = isBackupDue(await lastBackup(context.store), context.clock(), plan.every)
  return isDue ? makeBackup(context, plan, signal) : null
}

/** Makes a backup now and stores its result, once it is logged. Null when the signal stopped it. */
export async function makeBackup(context: BackupContext, plan: Omit<BackupPlan, "every">, signal: AbortSignal) {
  const result = await attempt(context, plan, signal)
  if (result !== null) await transact(context, (tx) => setJson(tx, "last_backup", result))
  return result
}

async function attempt(
  { clock, log, store }: BackupContext,
  { keep, folder }: Omit<BackupPlan, "every">,
  signal: AbortSignal,
): Promise<LastBackup | null> {
  const at = clock()
  try {
    const { file, bytes, rows } = await folder.make(backupName(at), signal)
    // What was there before the last restore stays beside them: an operator who keeps few would lose it before missing it.
    const safety = (await lastRestore(store))?.safety
    const others = (await folder.list()).filter((name) => name !== safety)
    for (const name of outdatedBackups(others, keep, clock())) await folder.remove(name)
    log.info("backup made", { file, bytes, rows })
    return { at, ok: true, file, bytes, rows, problem: null }
  } catch (cause) {
    if (signal.aborted) return null
    log.error("backup failed", cause)
    const problem = messageOf(cause)
    return { at, ok: false, file: folder.path, bytes: 0, rows: 0, problem }
  }
}

const readSchedule = storedAs(BackupSchedule)

type Settings = Pick<StoreReads, "settings">

/** The result of the last scheduled backup; null before the first. */
export const lastBackup = settingAs("last_backup", LastBackup)

/** How the last restore from the app went; null before the first. */
export const lastRestore = settingAs("last_restore", LastRestore)

/** Adds an audit entry for a copy of all data that was made, downloaded or uploaded, although it changes nothing. */
export const noteBackup = verb(
  (tx, action: "make backup" | "download backup" | "upload backup", subject: string, by: Change) =>
    audit(tx, by, { action, subject }),
)

/** Who restores. Ids may belong to somebody else in the data that is restored. */
export type Restorer = Readonly<{ userId: number; email: string }>

/**
 * Replaces everything with a backup, while the server runs. First a backup of the present is made, so that this can be undone; until the
 * restored data is committed as a whole, the present data stays. The entry in the audit trail is in both.
 */
export async function restoreBackup(
  context: ReportContext,
  folder: BackupFolder,
  name: string,
  by: Restorer,
  signal: AbortSignal,
): Promise<LastRestore> {
  const { clock, log } = context
  const at = clock()
  const safety = backupName(at)
  const marker = { at, file: name, by: by.email }
  const entry = { action: "restore backup", subject: name }
  await transact(context, (tx) => audit(tx, { actor: `user:${by.userId}`, at }, entry))
  try {
    // One of the same second is as good.
    if (!(await folder.list()).includes(safety)) await folder.make(safety, signal)
    const { rows } = await folder.restore(name, signal)
    return await noted(context, by, { ...marker, ok: true, rows, safety, problem: null })
  } catch (cause) {
    log.error("restore failed", cause)
    const problem = messageOf(cause)
    // What undoes the restore before this one still does.
    const before = (await lastRestore(context.store))?.safety ?? null
    return await stored(context, { ...marker, ok: false, rows: 0, safety: before, problem })
  }
}

/** Writes into the restored data. The first write after a restore may be refused, because it was checked against the data before. */
async function noted(context: ReportContext, by: Restorer, result: LastRestore): Promise<LastRestore> {
  const write = async () => {
    const actor = await actorAfter(context.store, by)
    const entry = { action: "restore backup", subject: result.file }
    await transact(context, (tx) => audit(tx, { actor, at: context.clock() }, entry))
    return stored(context, result)
  }
  return write().catch(write)
}

async function actorAfter({ users }: StoreReads, { userId, email }: Restorer): Promise<string> {
  const same = await users.findByEmail(email)
  return same?.id === userId ? `user:${userId}` : email
}

async function stored(context: ReportContext, result: LastRestore): Promise<LastRestore> {
  await transact(context, (tx) => setJson(tx, "last_restore", result))
  return result
}

/** When backups are made, and who said so. */
export const backupSchedule = async ({ settings }: Settings, started: StartedWith): Promise<ScheduleInForce> =>
  scheduleInForce(started, readSchedule(await settings.get("backup_schedule")))

/** What a form that changes it starts from. */
export const scheduleSeen = async ({ settings }: Settings): Promise<Seen> =>
  seenOf(chosen(await settings.get("backup_schedule")))

function chosen(stored: string | null): BackupSchedule {
  const { every, keep } = scheduleInForce({ backupEvery: null, backupKeep: null }, readSchedule(stored))
  return { every, keep }
}

/**
 * Chooses when backups are made; what is left out stays. Whatever an option of the server says still goes first. `seen` is what the person started from;
 * "changed" when it is no longer in force.
 */
export const changeBackupSchedule = verb(function* (tx, wanted: Partial<BackupSchedule>, by: Change) {
  const before = chosen(yield* settingOf(tx, "backup_schedule"))
  if (isStale(by.seen, before)) return "changed"
  const details = { ...before, ...wanted }
  yield* setJson(tx, "backup_schedule", details)
  yield* audit(tx, by, { action: "change backup_schedule", subject: "installation", details })
  return "done"
})
