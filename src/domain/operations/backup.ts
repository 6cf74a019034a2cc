import { type Static, Type } from "@sinclair/typebox"
import { formatMoment, type Moment, parseTimestamp } from "../time/moment.ts"

const NAME = /^adbooth-\d{8}T\d{6}Z\.db(?:\.gz|\.zst)?$/

/** A failed backup is retried after this time, or after the usual interval if that is shorter. */
const RETRY_MICROS_MAX = 15 * 60_000_000
const LATE_MICROS_MIN = 60_000_000

export const LastBackup = Type.Object({
  at: Type.Integer({ description: "When it was begun." }),
  ok: Type.Boolean({ description: "Whether the copy was opened and verified." }),
  file: Type.String({ description: "Where the copy is." }),
  bytes: Type.Integer({ description: "Its size; 0 when it failed." }),
  rows: Type.Integer({ description: "How many rows it holds; 0 when it failed." }),
  problem: Type.Union([Type.String(), Type.Null()], { description: "Why it failed." }),
})
export type LastBackup = Static<typeof LastBackup>

export interface BackupCheck {
  readonly at: Moment
  readonly rows: number
  /** Null when it is sound. */
  readonly problem: string | null
}

export const LastRestore = Type.Object({
  at: Type.Integer({ description: "When it was begun." }),
  ok: Type.Boolean(),
  file: Type.String({ description: "The backup that was restored." }),
  by: Type.String({ description: "The email address of whoever did it." }),
  rows: Type.Integer({ description: "How many rows were restored; 0 when it failed." }),
  safety: Type.Union([Type.String(), Type.Null()], { description: "The backup of what was there before." }),
  problem: Type.Union([Type.String(), Type.Null()], { description: "Why it failed." }),
})
export type LastRestore = Static<typeof LastRestore>

/** Named after the time in UTC, so that names sort by time. */
export function backupName(at: Moment): string {
  const stamp = formatMoment(at).slice(0, 19).replaceAll(/[-:]/g, "")
  return `adbooth-${stamp}Z.db`
}

/** When a backup was made, by its name. */
export const backupTime = (name: string): Moment =>
  parseTimestamp(name.replace(/^adbooth-(....)(..)(..)T(..)(..)(..)Z.*$/, "$1-$2-$3T$4:$5:$6Z")) ?? 0

export const isBackup = (file: string): boolean => NAME.test(file)

/** Oldest first, without other files. Those that seem to be made later than now are older: the clock was ahead, and was set back. */
export function backupsInOrder(files: readonly string[], now: Moment): string[] {
  const isAhead = (name: string) => Number(backupTime(name) > now)
  return files
    .filter(isBackup)
    .sort()
    .sort((a, b) => isAhead(b) - isAhead(a))
}

/** The scheduled backups beyond the newest `keep`. Other files are never included. */
export function outdatedBackups(files: readonly string[], keep: number, now: Moment): string[] {
  const ours = backupsInOrder(files, now)
  return ours.slice(0, Math.max(0, ours.length - keep))
}

/** Whether the next one is due. A clock that was set back does not delay it for longer than usual. */
export function isBackupDue(last: LastBackup | null, now: Moment, every: Moment): boolean {
  if (last === null) return true
  const wait = last.ok ? every : Math.min(every, RETRY_MICROS_MAX)
  return Math.abs(now - last.at) >= wait
}

export const isBackupOverdue = (last: LastBackup, now: Moment, every: Moment): boolean =>
  now - last.at > 2 * every + LATE_MICROS_MIN

export const BACKUPS_KEPT = 7
export const BACKUPS_KEPT_MAX = 10_000

/** When backups are made, as chosen in the app or by a command; `every` is null for never. */
export const BackupSchedule = Type.Object({
  every: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  keep: Type.Integer({ minimum: 1, maximum: BACKUPS_KEPT_MAX }),
})
export type BackupSchedule = Static<typeof BackupSchedule>

/** What the server was started with; null where neither an option nor the environment says anything. */
export type StartedWith = Readonly<{ backupEvery: Moment | null; backupKeep: number | null }>

export type ScheduleOrigin = "option" | "chosen" | "default"

export interface ScheduleInForce extends BackupSchedule {
  readonly from: { readonly every: ScheduleOrigin; readonly keep: ScheduleOrigin }
}

/** An option of the server goes first, then what somebody chose. */
export function scheduleInForce(started: StartedWith, chosen: BackupSchedule | null): ScheduleInForce {
  const origin = (pinned: number | null): ScheduleOrigin =>
    pinned !== null ? "option" : chosen !== null ? "chosen" : "default"
  return {
    every: started.backupEvery ?? chosen?.every ?? null,
    keep: started.backupKeep ?? chosen?.keep ?? BACKUPS_KEPT,
    from: { every: origin(started.backupEvery), keep: origin(started.backupKeep) },
  }
}

interface FailedUpdate {
  /** The version that ran before; null when it is not known. */
  readonly previous: string | null
  /** The data directory; null when the data is in PostgreSQL. */
  readonly data: string | null
  /** The copy of the database that was made before it was upgraded; null when it was not upgraded. */
  readonly copy: string | null
}

/** What to do, step by step, to run the version before again. */
export function wayBack({ previous, data, copy }: FailedUpdate): string[] {
  const old = `the executable of ${previous ?? "the version that ran before"}`
  const start = `Put ${old} back and start it.`
  if (data === null) {
    return [
      "Stop every server.",
      `Put ${old} back.`,
      "If it refuses the database as newer, restore the backup made before the update into an empty database: adbooth backup restore FILE --database-url URL",
      "Start it.",
    ]
  }
  if (copy === null) return ["Stop the server.", start]
  return [
    `See what would be lost: adbooth backup rollback --data ${data}`,
    "Stop the server.",
    `Go back to the copy made before the upgrade: adbooth backup rollback --yes --data ${data}`,
    start,
  ]
}

/** For a database that is ahead of this program. */
export const writtenByNewer = (database: string, schema: number, known: number): string =>
  `The database ${database} was written by a newer version of adbooth (schema ${schema}; this program knows ${known}). ` +
  "Nothing was changed. Start the newer program again, or restore a backup made with this version in an empty place."

/** For an upgrade of the database that failed and was undone. */
export const notUpgraded = (database: string, { from, to }: { from: number; to: number }, why: string): string =>
  `The database ${database} was not upgraded from schema ${from} to ${to}. ${why} The database is as it was before: ` +
  "start the version that ran before, or fix this and start this version again."
