import { readdir, rm, stat } from "node:fs/promises"
import { setPriority } from "node:os"
import { join, resolve } from "node:path"
import type { BackupService } from "../actions/context.ts"
import type { Config } from "../config.ts"
import { isBackupName } from "../domain/operations/backup.ts"
import { makePrivateFolder } from "../files.ts"

const PRIORITY_LOW = 10

/** The compiled program contains its own script. From source, Bun needs the path of it. */
const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN")
const PROGRAM = isCompiled ? [process.execPath] : [process.execPath, Bun.main]

/** The folder of scheduled backups. A separate process makes each backup, so that requests don't wait. */
export function backupFolder({ data, databaseUrl, backupDir }: Config): BackupService {
  const folder = resolve(backupDir ?? join(data, "backups"))
  return {
    folder,
    async create(name) {
      makePrivateFolder(folder)
      const child = Bun.spawn([...PROGRAM, "backup", "create", join(folder, name), "--data", data, "--json"], {
        stdio: ["ignore", "pipe", "pipe"],
        // Every user of the machine could read a password in an argument.
        env: { ...process.env, ADBOOTH_DATABASE_URL: databaseUrl ?? undefined, ADBOOTH_DATABASE_URL_FILE: undefined },
      })
      setPriority(child.pid, PRIORITY_LOW)
      const [output, complaint] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      if ((await child.exited) !== 0) throw new Error(complaint.trim() || "The backup failed without a message.")
      const { bytes } = JSON.parse(output) as { readonly bytes: number }
      return { name, bytes }
    },
    async list() {
      const names = (await readdir(folder).catch(() => [])).filter(isBackupName).sort()
      return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })))
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}
