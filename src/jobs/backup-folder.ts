import { mkdir, readdir, rm } from "node:fs/promises"
import { setPriority } from "node:os"
import { join, resolve } from "node:path"
import type { BackupFolder } from "../actions/operations/keep-backups.ts"

const PRIORITY_LOW = 10

/** How to start this program once more, and on which data. */
export interface SelfCommand {
  readonly command: readonly string[]
  readonly data: string
  /** Names the database, where there is one: a password in an argument could be read by everybody on the machine. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** The folder of scheduled backups. Each is made by a child process, so that a large backup does not block requests. */
export function backupFolder(directory: string, { command, data, environment }: SelfCommand): BackupFolder {
  const path = resolve(directory)
  return {
    path,
    async make(name, signal) {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const args = ["backup", join(path, name), "--data", data, "--json"]
      const child = Bun.spawn([...command, ...args], {
        stdio: ["ignore", "pipe", "pipe"],
        signal,
        ...(environment !== undefined && { env: environment }),
      })
      setPriority(child.pid, PRIORITY_LOW)
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      if ((await child.exited) !== 0) throw new Error(err.trim() || "the backup failed without a message")
      const made = JSON.parse(out) as { file: string; bytes: number; rows: Record<string, number> }
      return {
        file: made.file,
        bytes: made.bytes,
        rows: Object.values(made.rows).reduce((sum, count) => sum + count, 0),
      }
    },
    list: () => readdir(path),
    remove: (name) => rm(join(path, name), { force: true }),
    read: (name) => Bun.file(join(path, name)),
  }
}
