import { isBackup } from "../../../../domain/operations/backup.ts"
import { formatNumber } from "../../parts/format.tsx"
import { type PersonVisit, param } from "../../visit.ts"

export type BackupFile = Readonly<{ name: string; bytes: number }>

/** The backups in the folder, newest first. */
export async function filesOf({ context: { backups } }: PersonVisit): Promise<BackupFile[]> {
  // There is no folder before the first backup.
  const names = await backups.folder.list().catch(() => [])
  const files = names.filter(isBackup).map((name) => ({ name, bytes: backups.folder.read(name).size }))
  return files.sort((one, other) => other.name.localeCompare(one.name))
}

/** The backup that the path names. Only files of ours are found. */
export async function findFile(visit: PersonVisit): Promise<BackupFile | undefined> {
  const name = param(visit, "file")
  return (await filesOf(visit)).find((file) => file.name === name)
}

export const mebibytes = (bytes: number) => `${formatNumber(Math.round((bytes / 1024 / 1024) * 10) / 10)} MiB`

// A large database takes longer than anyone waits for a page; the work then continues in the background.
const WAIT_MS = 4_000

/** The result of work, or null when it takes longer than a page may. */
export async function soon<Result>(work: Promise<Result>): Promise<{ readonly result: Result } | null> {
  const patience = Promise.withResolvers<null>()
  const timer = setTimeout(() => patience.resolve(null), WAIT_MS)
  const first = await Promise.race([work.then((result) => ({ result })), patience.promise])
  clearTimeout(timer)
  return first
}
