import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { setPriority } from "node:os"
import { join, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import type { BackupFolder } from "../actions/operations/backups.ts"
import { newFileStream } from "../files/new-file.ts"

const PRIORITY_LOW = 10

/** How to start this program once more, and on which data. */
export interface SelfCommand {
  readonly command: readonly string[]
  readonly data: string
  /** Names the database, where there is one: a password in an argument could be read by everybody on the machine. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

type Printed = Readonly<{ file: string; bytes: number; schema: number; rows: Readonly<Record<string, number>> }>

/** The folder of scheduled backups. A child process works on each, so that a large backup does not block requests. */
export function backupFolder(directory: string, self: SelfCommand): BackupFolder {
  const path = resolve(directory)
  const run = (args: readonly string[], signal: AbortSignal) => runCommand(self, args, signal)
  return {
    path,
    async make(name, signal) {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const made = await run(["backup", "create", join(path, name), "--data", self.data], signal)
      return { file: made.file, bytes: made.bytes, rows: sum(made.rows) }
    },
    async check(name, signal) {
      const { rows, schema } = await run(["backup", "check", join(path, name)], signal)
      return { rows: sum(rows), schema }
    },
    async restore(name, signal) {
      const where = ["--data", self.data, "--backup-dir", path]
      const { rows } = await run(["backup", "restore", join(path, name), "--yes", ...where], signal)
      return { rows: sum(rows) }
    },
    async receive(name, chunks) {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const arriving = join(path, `${name}.arriving`)
      try {
        await pipeline(chunks, newFileStream(arriving, 0o600))
        await rename(arriving, join(path, name))
      } finally {
        await rm(arriving, { force: true })
      }
    },
    list: () => readdir(path),
    remove: (name) => rm(join(path, name), { force: true }),
    read: (name) => Bun.file(join(path, name)),
  }
}

/** Runs a command of this program and returns the JSON that it prints. Throws what it complains about. */
async function runCommand({ command, environment }: SelfCommand, args: readonly string[], signal: AbortSignal) {
  const child = Bun.spawn([...command, ...args, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    ...(environment !== undefined && { env: environment }),
  })
  setPriority(child.pid, PRIORITY_LOW)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(err.trim() || `adbooth ${args[0]} failed without a message`)
  return JSON.parse(out) as Printed
}

const sum = (rows: Printed["rows"]) => Object.values(rows).reduce((total, count) => total + count, 0)
