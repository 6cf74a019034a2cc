import { isStale, type Revision, revisionOf } from "../../domain/edit-conflict.ts"
import {
  BackupSchedule,
  type ScheduleInForce,
  type StartedWith,
  scheduleInForce,
} from "../../domain/operations/backup-schedule.ts"
import { checkFor } from "../../domain/schema/check.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

const check = checkFor(BackupSchedule)

/** When backups are made, and who said so. */
export async function backupSchedule(
  { settings }: Pick<StoreReads, "settings">,
  started: StartedWith,
): Promise<ScheduleInForce> {
  return scheduleInForce(started, read(await settings.get("backup_schedule")))
}

/** What a form that changes it starts from. */
export async function scheduleRevision({ settings }: Pick<StoreReads, "settings">): Promise<Revision> {
  const { every, keep } = scheduleInForce(
    { backupEvery: null, backupKeep: null },
    read(await settings.get("backup_schedule")),
  )
  return revisionOf({ every, keep })
}

function read(stored: string | null): BackupSchedule | null {
  if (stored === null) return null
  const checked = check(JSON.parse(stored))
  return checked.ok ? checked.value : null
}

/**
 * Chooses when backups are made; what is left out stays. Whatever an option of the server says still goes first. `seen` is what the person started from;
 * "changed" when it is no longer in force.
 */
export async function changeBackupSchedule(
  context: Context,
  wanted: Partial<BackupSchedule>,
  { actor, seen }: { readonly actor: string; readonly seen?: Revision | undefined },
): Promise<"done" | "changed"> {
  const stored = await context.store.settings.get("backup_schedule")
  const { every, keep } = scheduleInForce({ backupEvery: null, backupKeep: null }, read(stored))
  if (isStale(seen, { every, keep })) return "changed"
  const next = { every, keep, ...wanted }
  const audited = { action: "change backup_schedule", subject: "installation", details: next }
  const change = { actor, at: context.clock() }
  const isDone = await writesOf(context).settings.choose(
    "backup_schedule",
    { before: stored, after: JSON.stringify(next) },
    { ...change, ...audited },
  )
  // Somebody else was faster by a moment: look again.
  return isDone ? "done" : changeBackupSchedule(context, wanted, { actor, seen })
}
