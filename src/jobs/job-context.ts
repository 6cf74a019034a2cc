import type { Context } from "../actions/context.ts"
import type { BackupFolder } from "../actions/operations/backups.ts"
import type { Config } from "../config.ts"
import type { Log } from "../log/log.ts"

/** What everything that runs by the clock is handed. */
export interface JobContext extends Context {
  readonly config: Config
  readonly log: Log
  /** Free bytes on the disk that can fill up. */
  readonly diskFreeBytes: () => Promise<number>
  readonly backupFolder: BackupFolder
}
