import type { BackupCheck } from "../../domain/operations/backup.ts"
import type { Context } from "../context.ts"
import type { BackupFolder } from "./keep-backups.ts"

/** Verifies a backup as a restore would. It changes nothing. */
export async function checkBackup(
  { clock }: Pick<Context, "clock">,
  folder: Pick<BackupFolder, "check">,
  name: string,
  signal: AbortSignal,
): Promise<BackupCheck> {
  try {
    const { rows } = await folder.check(name, signal)
    return { at: clock(), rows, problem: null }
  } catch (cause) {
    return { at: clock(), rows: 0, problem: cause instanceof Error ? cause.message : String(cause) }
  }
}
