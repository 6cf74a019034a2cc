import { formatMoment, MICROS_PER_SECOND, type Moment, readTimestamp } from "../time/moment.ts"

/** When backups are made, and how many are kept. `every` is null for never. */
export interface BackupSchedule {
  readonly every: Moment | null
  readonly keep: number
}

/** The outcome of the last scheduled backup, as stored for checks, alerts and pages. */
export interface LastBackup {
  /** When it began. */
  readonly at: Moment
  readonly name: string
  /** Null if it failed. */
  readonly bytes: number | null
  /** Why it failed. Null if it was made and verified. */
  readonly problem: string | null
}

export const BACKUPS_KEPT = 7

const NAME = /^adbooth-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db(\.gz|\.zst)?$/

/** Named after the time in UTC, so that names sort by time. */
export function backupName(at: Moment): string {
  const stamp = formatMoment(at).slice(0, 19).replaceAll(/[-:]/g, "")
  return `adbooth-${stamp}Z.db`
}

export const isBackupName = (name: string): boolean => NAME.test(name)

/** When a backup was made, by its name. */
export const backupTime = (name: string): Moment => readTimestamp(name.replace(NAME, "$1-$2-$3T$4:$5:$6Z")) ?? 0

/** The backups beyond the newest `keep`, oldest first. Other files are never among them. */
export function outdatedBackups(names: readonly string[], keep: number, now: Moment): string[] {
  const backups = names.filter(isBackupName).sort()
  // A backup dated in the future is an old one, made while the clock was ahead.
  const isAhead = (name: string) => backupTime(name) > now
  const inOrder = [...backups.filter(isAhead), ...backups.filter((name) => !isAhead(name))]
  return inOrder.slice(0, Math.max(0, inOrder.length - keep))
}

const RETRY = 15 * 60 * MICROS_PER_SECOND
const SLACK = 60 * MICROS_PER_SECOND

/** Whether the next one is due. A clock that was set back delays it by no more than usual. */
export function isBackupDue(last: LastBackup | null, now: Moment, every: Moment): boolean {
  if (last === null) return true
  const pause = last.problem === null ? every : Math.min(every, RETRY)
  return Math.abs(now - last.at) >= pause
}

export const isBackupOverdue = (last: LastBackup, now: Moment, every: Moment): boolean =>
  now - last.at > 2 * every + SLACK
