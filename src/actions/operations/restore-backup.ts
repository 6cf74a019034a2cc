import { backupName, LastRestore } from "../../domain/operations/backup.ts"
import { checkFor } from "../../domain/schema/check.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { type ReportContext, writesOf } from "../context.ts"
import type { BackupFolder } from "./keep-backups.ts"

/** Who restores. Ids may belong to somebody else in the data that is restored. */
export interface Restorer {
  readonly userId: number
  readonly email: string
}

/**
 * Replaces everything with a backup, while the server runs. First a backup of the present is made, so that this can be undone; until the
 * restored data is committed as a whole, the present data stays. The entry in the audit trail is in both.
 */
export async function restoreBackup(
  context: ReportContext,
  folder: BackupFolder,
  name: string,
  by: Restorer,
  signal: AbortSignal,
): Promise<LastRestore> {
  const { clock, log } = context
  const at = clock()
  const safety = backupName(at, "none")
  const asked = { at, file: name, by: by.email }
  await writesOf(context).audit.note("restore backup", name, { actor: `user:${by.userId}`, at })
  try {
    // One of the same second is as good.
    if (!(await folder.list()).includes(safety)) await folder.make(safety, signal)
    const { rows } = await folder.restore(name, signal)
    return await noted(context, by, { ...asked, ok: true, rows, safety, problem: null })
  } catch (cause) {
    log.error("restore failed", cause)
    const problem = cause instanceof Error ? cause.message : String(cause)
    return await stored(context, { ...asked, ok: false, rows: 0, safety: null, problem })
  }
}

/** Writes into the restored data. The first write after a restore may be refused, because it was checked against the data before. */
async function noted(context: ReportContext, by: Restorer, result: LastRestore): Promise<LastRestore> {
  const write = async () => {
    const actor = await actorAfter(context.store, by)
    await writesOf(context).audit.note("restore backup", result.file, { actor, at: context.clock() })
    return stored(context, result)
  }
  return write().catch(write)
}

async function actorAfter({ users }: StoreReads, { userId, email }: Restorer): Promise<string> {
  const same = await users.findByEmail(email)
  return same?.id === userId ? `user:${userId}` : email
}

async function stored(context: ReportContext, result: LastRestore): Promise<LastRestore> {
  await writesOf(context).settings.set("last_restore", JSON.stringify(result))
  return result
}

const check = checkFor(LastRestore)

/** How the last restore from the app went; null before the first. */
export async function lastRestore({ settings }: Pick<StoreReads, "settings">): Promise<LastRestore | null> {
  const found = await settings.get("last_restore")
  if (found === null) return null
  const checked = check(JSON.parse(found))
  return checked.ok ? checked.value : null
}
