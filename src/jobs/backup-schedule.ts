import type { Context } from "../actions/context.ts"
import { type BackupFolder, keepBackups, makeBackup } from "../actions/operations/keep-backups.ts"
import { takeLease } from "../actions/operations/take-lease.ts"
import type { Config } from "../config.ts"
import type { LastBackup } from "../domain/operations/backup.ts"
import type { Log } from "../log/log.ts"

const LOOK_INTERVAL_MS = 10_000
// Some looks may come late, or fail, before another server takes the backups over.
const LEASE_SECONDS = 60

export interface BackupSchedule extends AsyncDisposable {
  readonly folder: BackupFolder
  /** Looks from now on whether one is due, where they are scheduled. */
  start(): void
  /** Makes one, beside those that are scheduled. Never two at a time: the one at work is then awaited first. */
  now(): Promise<LastBackup | null>
}

/** Makes backups: those that are due, and those that somebody asks for. */
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
      context.log.error("backup not noted", cause)
      return null
    } finally {
      working = undefined
    }
  }

  function look(): void {
    if (every === null) return
    // Asked for at every look, so that it does not end while a long backup is made.
    const isOurs = takeLease(context, "scheduled backups", LEASE_SECONDS).catch((cause) => {
      context.log.error("lease of backups not taken", cause)
      return false
    })
    working ??= work(async () =>
      (await isOurs) ? keepBackups(context, { every, keep, folder }, stopping.signal) : null,
    )
  }

  return {
    folder,
    start() {
      // One long timer would miss the time that a machine was asleep.
      timer = setInterval(look, LOOK_INTERVAL_MS)
      look()
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
