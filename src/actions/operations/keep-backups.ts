import { backupName, isBackupDue, type LastBackup, outdatedBackups } from "../../domain/operations/backup.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { type Context, type ReportContext, writesOf } from "../context.ts"
import { lastBackup } from "./last-backup.ts"

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
  check(name: string, signal: AbortSignal): Promise<CheckedBackup>
  /** Replaces everything with a backup, once it is verified. */
  restore(name: string, signal: AbortSignal): Promise<{ readonly rows: number }>
  list(): Promise<string[]>
  remove(name: string): Promise<void>
  read(name: string): Blob
}

export interface CheckedBackup {
  readonly rows: number
  readonly schema: number
}

export interface BackupPlan {
  readonly every: Moment
  readonly keep: number
  readonly folder: BackupFolder
}

/** Makes the next backup if it is due; older ones are deleted only once it is verified. Null when none was due or the signal stopped it. */
export async function keepBackups(
  context: BackupContext,
  plan: BackupPlan,
  signal: AbortSignal,
): Promise<LastBackup | null> {
  const isDue = isBackupDue(await lastBackup(context.store), context.clock(), plan.every)
  return isDue ? makeBackup(context, plan, signal) : null
}

/** Makes a backup now and stores its result, once it is logged. Null when the signal stopped it. */
export async function makeBackup(
  context: BackupContext,
  plan: Omit<BackupPlan, "every">,
  signal: AbortSignal,
): Promise<LastBackup | null> {
  const result = await attempt(context, plan, signal)
  if (result !== null) await writesOf(context).settings.set("last_backup", JSON.stringify(result))
  return result
}

async function attempt(
  { clock, log }: BackupContext,
  { keep, folder }: Omit<BackupPlan, "every">,
  signal: AbortSignal,
): Promise<LastBackup | null> {
  const at = clock()
  try {
    const { file, bytes, rows } = await folder.make(backupName(at, "none"), signal)
    for (const name of outdatedBackups(await folder.list(), keep)) await folder.remove(name)
    log.info("backup made", { file, bytes, rows })
    return { at, ok: true, file, bytes, rows, problem: null }
  } catch (cause) {
    if (signal.aborted) return null
    log.error("backup failed", cause)
    const problem = cause instanceof Error ? cause.message : String(cause)
    return { at, ok: false, file: folder.path, bytes: 0, rows: 0, problem }
  }
}
