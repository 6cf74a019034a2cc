import { LastBackup } from "../../domain/operations/backup.ts"
import { checkFor } from "../../domain/schema/check.ts"
import type { StoreReads } from "../../storage/port/store.ts"

const check = checkFor(LastBackup)

/** The result of the last scheduled backup; null before the first. */
export async function lastBackup({ settings }: Pick<StoreReads, "settings">): Promise<LastBackup | null> {
  const stored = await settings.get("last_backup")
  if (stored === null) return null
  const checked = check(JSON.parse(stored))
  return checked.ok ? checked.value : null
}
