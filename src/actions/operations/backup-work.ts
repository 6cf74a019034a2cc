import { messageOf } from "../../domain/user-error.ts"
import type { BackupService, Context } from "../context.ts"

/** What is being done with backups, or what became of it. */
export interface BackupWork {
  /** "Making a backup" */
  readonly title: string
  /** Null while it's under way. */
  readonly outcome: { readonly isDone: boolean; readonly text: string } | null
}

// Work on a large database takes longer than a page can wait. Other servers don't know about this process's work.
const works = new WeakMap<BackupService, BackupWork>()

/** The work in progress or the last one. Null if there was none, or if its outcome was already shown. */
export const backupWork = ({ services }: Pick<Context, "services">): BackupWork | null =>
  works.get(services.backups) ?? null

/** Forgets the outcome, once a page has shown it. */
export const forgetBackupWork = ({ services }: Pick<Context, "services">): boolean => works.delete(services.backups)

/**
 * Begins work that returns its outcome in words, or throws. Null if other work is in progress, because two restores, or
 * a backup of a half-restored database, must not run at once.
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
