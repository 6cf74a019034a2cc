import { messageOf } from "../../domain/user-error.ts"
import type { BackupService, Context } from "../context.ts"

/** What is being done with backups, or what became of it. */
export interface BackupWork {
  /** "Making a backup" */
  readonly title: string
  /** Null while it's under way. */
  readonly outcome: { readonly isDone: boolean; readonly text: string } | null
}

// Large databases take longer than anybody waits for a page. The work is this process's own, so other servers don't know of it.
const works = new WeakMap<BackupService, BackupWork>()

/** What is under way, or was done last. Null if nothing was, or if somebody has seen the outcome. */
export const backupWork = ({ services }: Pick<Context, "services">): BackupWork | null =>
  works.get(services.backups) ?? null

/** Forgets the outcome, once a page has shown it. */
export const forgetBackupWork = ({ services }: Pick<Context, "services">): boolean => works.delete(services.backups)

/**
 * Begins something that returns its outcome in words, or throws what was wrong. Null if something else is under way: two restores, or a
 * backup of a half-restored database, would help nobody.
 */
export function beginBackupWork(context: Context, title: string, run: () => Promise<string>): Promise<void> | null {
  const key = context.services.backups
  if (works.get(key)?.outcome === null) return null
  works.set(key, { title, outcome: null })
  return run().then(
    (text) => void works.set(key, { title, outcome: { isDone: true, text } }),
    (cause) => void works.set(key, { title, outcome: { isDone: false, text: messageOf(cause) } }),
  )
}
