import { stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { isatty } from "node:tty"
import type { Config } from "./config.ts"
import type { CliContext } from "./doors/cli/context.ts"
import { run } from "./doors/cli/index.ts"
import { wasClosed } from "./doors/cli/was-closed.ts"
import { writeFully } from "./doors/cli/write-fully.ts"
import { backupFolder } from "./jobs/backup-folder.ts"
import { bufferedWriter } from "./log/buffered-writer.ts"
import { versions } from "./server/versions.ts"
import { backUp } from "./storage/sqlite/backup/backup.ts"
import { hasDatabase } from "./storage/sqlite/backup/replace-file.ts"
import { restore } from "./storage/sqlite/backup/restore.ts"
import { noDatabase } from "./storage/sqlite/engine/hold-open.ts"
import { sqliteUserError } from "./storage/sqlite/engine/sqlite-errors.ts"
import { sqliteStore, type Watching } from "./storage/sqlite/index.ts"

// The only file that touches the process: its arguments, environment, signals, streams and exit code.
const LAST_LINES_MS_MAX = 2_000
const OUT = 1
const ERR = 2

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

function openStore(dataDirectory: string, { create }: { readonly create: boolean }, watching: Watching = {}) {
  if (!create && !hasDatabase(dataDirectory)) throw noDatabase(dataDirectory)
  return sqliteStore(dataDirectory, fileStamp(), watching)
}

// Loaded only when it is wanted: other commands should not wait for the doors.
async function serve(config: Config, how: { readonly demo: boolean }): Promise<void> {
  const { serve: start } = await import("./server/serve.ts")
  const lines = bufferedWriter((text) => void process.stderr.write(text))
  process.on("exit", lines.flush)
  await start(config, how, {
    clock,
    random,
    diskFreeBytes,
    backupFolder: folderFor,
    openStore: (dataDirectory, watching) => openStore(dataDirectory, { create: true }, watching),
    out: (text) => tell(OUT, text),
    log: lines.add,
    isTerminal: isatty(ERR),
    showsLinks: isatty(OUT),
    stopped: untilStopped(),
  })
  lines.flush()
  // The last lines reach a slow reader too, but one that has stopped reading keeps nobody from ending.
  await Promise.race([new Promise((resolve) => process.stderr.write("", resolve)), Bun.sleep(LAST_LINES_MS_MAX)])
}

/** Writes what stops no work when it reaches nobody. */
function tell(descriptor: number, text: string): void {
  try {
    writeFully(descriptor, text)
  } catch {
    // Whoever would read it has gone, or its disk is full.
  }
}

const COLUMNS_DEFAULT = 80

/** Only carriage return and "clear to the end of the line": whatever ends us, the terminal is as it was. */
function drawLine(text: string): void {
  // Asked only where something is drawn: by that, the runtime makes a pipe non-blocking for everybody who has it open.
  const columns = process.stderr.columns || COLUMNS_DEFAULT
  // A line that reaches the last column may have begun the next one.
  tell(ERR, `\r${[...text].slice(0, columns - 1).join("")}\x1b[K`)
}

function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve(signal))
  })
}

// The terminal was closed, Ctrl-C, told to end: with the numbers by which a shell tells them.
const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const [signal, exitCode] of Object.entries(STOP_SIGNALS)) process.once(signal, () => stop.abort(exitCode))
  return stop.signal
}

const context: CliContext = {
  io: {
    out: (content) => writeFully(OUT, content),
    err: (text) => tell(ERR, text),
    isTerminal: isatty(ERR),
    outIsTerminal: isatty(OUT),
    outIsClosed: wasClosed(OUT),
    drawLine,
    readInput: () => Bun.stdin.text(),
    inputStream: () => Bun.stdin.stream(),
  },
  environment: process.env,
  clock,
  random,
  openStore: async (dataDirectory, how) => openStore(dataDirectory, how).store,
  sqliteUserError,
  serve,
  diskFreeBytes,
  directoryMode,
  backUp,
  restore: (dataDirectory, file, how) => restore(dataDirectory, file, { ...how, stamp: fileStamp() }),
  wait: (seconds) => Bun.sleep(seconds * 1_000),
  deadline: (seconds) => AbortSignal.timeout(seconds * 1_000),
  stopSignal,
  openapi: async ({ limitIngest, maxBody, publicUrl, port }) => {
    const { openapiWithoutServer } = await import("./doors/ingest/openapi.ts")
    const limits = { requestsPerMinute: limitIngest, bodyBytesMax: maxBody }
    return openapiWithoutServer(limits, publicUrl ?? `http://127.0.0.1:${port || 3000}`)
  },
  versions: async () => versions(),
}

process.exit(await run(process.argv.slice(2), context))
