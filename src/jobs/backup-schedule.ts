import type { Context } from "../actions/context.ts"
import { type BackupFolder, keepBackups, makeBackup } from "../actions/operations/keep-backups.ts"
import { takeLease } from "../actions/operations/take-lease.ts"
import type { Config } from "../config.ts"
import type { LastBackup } from "../domain/operations/backup.ts"
import type { Log } from "../log/log.ts"

const CHECK_INTERVAL_MS = 10_000
// A few checks may be late or fail before another server takes over the backups.
const LEASE_SECONDS = 60

export interface BackupSchedule extends AsyncDisposable {
  readonly folder: BackupFolder
  /** Starts the schedule, if there is one. */
  start(): void
  /** Makes a backup now, or as soon as a running one has finished. */
  now(): Promise<LastBackup | null>
}

/** Makes scheduled backups, and backups on request. */
export function backupSchedule(context: Context & { log: Log }, config: Config, folder: BackupFolder): BackupSchedule {
  const { backupEvery: every, backupKeep: keep } = config
  const stopping = new AbortController()
  let working: Promise<LastBackup | null> | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  async function work(make: () => Promise<LastBackup | null>): Promise<LastBackup | null> {
    try {
      const made = await make()
      if (made?.ok) context.log.info("backup made", { file: made.file, bytes: made.bytes, rows: made.rows })
      return made
    } catch (cause) {
      context.log.error("backup not recorded", cause)
      return null
    } finally {
      working = undefined
    }
  }

  function check(): void {
    if (every === null) return
    // Renewed at every check, so that it does not expire during a long backup.
    const isOurs = takeLease(context, "scheduled backups", LEASE_SECONDS).catch((cause) => {
      context.log.error("backup lease not taken", cause)
      return false
    })
    working ??= work(async () =>
      (await isOurs) ? keepBackups(context, { every, keep, folder }, stopping.signal) : null,
    )
  }

  return {
    folder,
    start() {
      // A single long timer would not count the time that the machine was asleep.
      timer = setInterval(check, CHECK_INTERVAL_MS)
      check()
    },
    async now() {
      while (working !== undefined) await working
      working = work(() => makeBackup(context, { keep, folder }, stopping.signal))
      return working
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      await working
    },
  }
}
