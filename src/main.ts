import { statSync, writeSync } from "node:fs"
import { stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { isatty } from "node:tty"
import { backupFolder } from "./backup-folder.ts"
import type { Config } from "./config.ts"
import { Trouble } from "./domain/trouble.ts"
import type { CliContext } from "./doors/cli/context.ts"
import { run } from "./doors/cli/index.ts"
import { gatherLines } from "./gather-lines.ts"
import { backUp } from "./storage/sqlite/backup.ts"
import { databaseTrouble } from "./storage/sqlite/database-trouble.ts"
import { sqliteStore, type Watching } from "./storage/sqlite/index.ts"
import { databasePath } from "./storage/sqlite/open.ts"
import { restore } from "./storage/sqlite/restore.ts"
import { versions } from "./versions.ts"

// The only file that touches the process: its arguments, environment, signals, streams and exit code.
const clock = () => Date.now() * 1_000
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

async function diskFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** Windows knows no permission bits. */
async function directoryMode(directory: string): Promise<number | null> {
  return process.platform === "win32" ? null : (await stat(directory)).mode & 0o777
}

/** The moment, as part of a file name. */
function fileStamp(): string {
  return new Date().toISOString().replaceAll(":", "")
}

/** The executable is the program; run from source, Bun needs to be told which file. */
function folderFor({ backupDir, data }: Config) {
  const self = import.meta.path.includes("bunfs") || import.meta.path.includes("~BUN") ? [] : [Bun.main]
  return backupFolder(backupDir ?? join(data, "backups"), data, [process.execPath, ...self])
}

/** False only when the file is not there: one that may not be looked at is the database's own trouble to tell. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function openStore(dataDirectory: string, { create }: { readonly create: boolean }, watching: Watching = {}) {
  if (!create && !exists(databasePath(dataDirectory))) {
    throw new Trouble(
      `There is no database in ${dataDirectory} yet. "adbooth serve" or "adbooth import" makes one; --data names another place.`,
    )
  }
  return sqliteStore(dataDirectory, fileStamp(), watching)
}

// Loaded only when it is wanted: other commands should not wait for the doors.
async function serve(config: Config, how: { readonly demo: boolean }): Promise<void> {
  const { serve: start } = await import("./serve.ts")
  const lines = gatherLines((text) => void process.stderr.write(text))
  process.on("exit", lines.flush)
  await start(config, how, {
    clock,
    random,
    diskFreeBytes,
    backupFolder: folderFor,
    openStore: (dataDirectory, watching) => openStore(dataDirectory, { create: true }, watching),
    out: (text) => void process.stdout.write(text),
    log: lines.add,
    isTerminal: isatty(2),
    showsLinks: isatty(1),
    stopped: untilStopped(),
  })
}

function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve(signal))
  })
}

const context: CliContext = {
  io: {
    out: (text) => void writeSync(1, text),
    err: (text) => void writeSync(2, text),
    isTerminal: isatty(2),
    errorStream: process.stderr,
    readInput: () => Bun.stdin.text(),
    inputStream: () => Bun.stdin.stream(),
  },
  environment: process.env,
  clock,
  random,
  openStore: async (dataDirectory, how) => openStore(dataDirectory, how).store,
  databaseTrouble,
  serve,
  diskFreeBytes,
  directoryMode,
  backUp,
  restore: (dataDirectory, file, { force }) => restore(dataDirectory, file, { force, stamp: fileStamp() }),
  wait: (seconds) => Bun.sleep(seconds * 1_000),
  openapi: async ({ limitIngest, maxBody }) => {
    const { openapiDocument } = await import("./doors/ingest/openapi.ts")
    return openapiDocument({ requestsPerMinute: limitIngest, bodyBytesMax: maxBody })
  },
  versions: async () => versions(),
}

process.exit(await run(process.argv.slice(2), context))
