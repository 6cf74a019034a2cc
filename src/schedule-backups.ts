import type { Context } from "./actions/context.ts"
import { type BackupFolder, keepBackups } from "./actions/keep-backups.ts"
import type { Config } from "./config.ts"
import type { Log } from "./log.ts"

const LOOK_INTERVAL_MS = 10_000

/** Looks every now and then whether a backup is due: one long timer would miss the time that a machine was asleep. */
export function scheduleBackups(
  context: Context & { log: Log },
  config: Config,
  folder: BackupFolder,
): AsyncDisposable {
  const { backupEvery: every, backupKeep: keep } = config
  if (every === null) return { [Symbol.asyncDispose]: async () => undefined }
  const stopping = new AbortController()
  const plan = { every, keep, folder }
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    try {
      const made = await keepBackups(context, plan, stopping.signal)
      if (made?.ok) context.log.info("backup made", { file: made.file, bytes: made.bytes, rows: made.rows })
    } catch (cause) {
      context.log.error("backup not noted", cause)
    } finally {
      looking = undefined
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
  }, LOOK_INTERVAL_MS)
  looking = look()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      await looking
    },
  }
}
