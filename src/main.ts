import { existsSync, readFileSync } from "node:fs"
import { stat, statfs } from "node:fs/promises"
import { hostname } from "node:os"
import { resolve } from "node:path"
import { isatty } from "node:tty"
import type { Config, StorageConfig } from "./config.ts"
import { microsecondClock } from "./domain/time/clock.ts"
import type { CliContext, Installed } from "./doors/cli/context.ts"
import { run } from "./doors/cli/index.ts"
import { Interrupted } from "./doors/cli/io.ts"
import { shortened, wantsColours } from "./doors/cli/output/text.ts"
import { wasClosed, writeFully } from "./doors/cli/write-fully.ts"
import { IS_COMPILED } from "./files/is-compiled.ts"
import { backupFolder } from "./jobs/backup-folder.ts"
import { storedBackups } from "./jobs/bucket-in-force.ts"
import { bufferedWriter } from "./log/log.ts"
import type { HandedPorts, Predecessor } from "./server/hand-over.ts"
import type { ServeParts } from "./server/serve.ts"
import { versions } from "./server/versions.ts"
import * as storage from "./storage/open.ts"

// The only file that touches the process: its arguments, environment, signals, streams and exit code.
const LAST_LINES_MS_MAX = 2_000
const IN = 0
const OUT = 1
const ERR = 2

const clock = microsecondClock(() => Date.now())
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

async function diskBytes(place: StorageConfig, of: "bavail" | "blocks"): Promise<number> {
  const disk = await statfs(storage.diskFolder(place))
  return disk[of] * disk.bsize
}

/** Null on Windows, which has no permission bits. */
const modeOf = async (path: string | null): Promise<number | null> =>
  path === null || process.platform === "win32" ? null : (await stat(path)).mode & 0o777

const fileStamp = (): string => new Date().toISOString().replaceAll(":", "")

/** Backups run in a child process of this program. Run from source, Bun needs the path of the script too. */
function folderFor(config: Config) {
  const self = IS_COMPILED ? [] : [Bun.main]
  return backupFolder(storage.backupDirectory(config), {
    command: [process.execPath, ...self],
    data: config.data,
    environment: {
      ...process.env,
      ADBOOTH_DATABASE_URL: storage.databaseUrlOf(config) ?? undefined,
      ADBOOTH_DATABASE_URL_FILE: undefined,
    },
  })
}

// Loaded on demand: other commands should not wait for it.
async function serve(config: Config, how: Parameters<CliContext["serve"]>[1]): Promise<void> {
  const { serve: start } = await import("./server/serve.ts")
  const lines = bufferedWriter((text) => void process.stderr.write(text))
  process.on("exit", lines.flush)
  const before = predecessor()
  await start(config, how, {
    clock,
    random,
    around: (config) => ({
      diskFreeBytes: () => diskBytes(config, "bavail"),
      diskTotalBytes: () => diskBytes(config, "blocks"),
      backupFolder: folderFor(config),
    }),
    openStore: (config, watching) =>
      storage.openStore(config, { create: before === null, stamp: fileStamp(), server: thisServer(), ...watching }),
    out: (text) => tell(OUT, text),
    log: lines.add,
    isTerminal: isatty(ERR),
    stopped: untilStopped(),
    predecessor: before,
    successor: process.platform === "linux" ? successor() : null,
  })
  lines.flush()
  // A slow reader gets the last lines too, but one that has stopped reading must not block the exit.
  await Promise.race([new Promise((resolve) => process.stderr.write("", resolve)), Bun.sleep(LAST_LINES_MS_MAX)])
}

/** In words: a process id alone says little, because each container counts its own. */
const thisServer = (): string =>
  `process ${process.pid} on ${hostname()}, started ${new Date().toISOString().slice(0, 19)}Z`

// Set for a process that takes over. Not a setting, so it is not named like one.
const PREDECESSOR = "_ADBOOTH_PREDECESSOR"
const SUCCESSOR_MS_MAX = 60_000

/** Listens from the start: the signal would end a process that does not. */
function successor(): ServeParts["successor"] {
  let start = () => {}
  process.on("SIGUSR2", () => start())
  return {
    startSuccessor,
    whenAsked(next) {
      start = next
    },
  }
}

/** Starts the program file as this process was started, with a pipe that ends when this process does. */
async function startSuccessor(ports: HandedPorts): Promise<number> {
  const self = IS_COMPILED ? [programFile()] : [process.execPath, Bun.main]
  const child = Bun.spawn([...self, ...process.argv.slice(2)], {
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...process.env, [PREDECESSOR]: JSON.stringify({ pid: process.pid, ...ports }) },
    // One that hangs is ended. When it takes over, this process ends first.
    timeout: SUCCESSOR_MS_MAX,
  })
  return await child.exited
}

/** The path that this process was started by, which may lead to another file by now. */
const programFile = (): string =>
  process.argv0.includes("/") ? resolve(process.argv0) : (Bun.which(process.argv0) ?? process.execPath)

/** The server that started this process to be replaced by it; null unless there is one. */
function predecessor(): Predecessor | null {
  const told = process.env[PREDECESSOR]
  if (told === undefined) return null
  const { pid, ...ports } = JSON.parse(told) as HandedPorts & { readonly pid: number }
  return {
    ports,
    async stop() {
      // systemd would take the end of the process that it knows for the end of the service.
      if (process.env["NOTIFY_SOCKET"] !== undefined) Bun.spawnSync(["systemd-notify", `--pid=${process.pid}`])
      try {
        process.kill(pid, "SIGTERM")
      } catch {
        // It has ended already.
      }
      for await (const _ of Bun.stdin.stream());
    },
  }
}

function tell(descriptor: number, text: string): void {
  try {
    writeFully(descriptor, text)
  } catch {
    // The reader is gone, or the disk is full.
  }
}

const COLUMNS_DEFAULT = 80

/** Uses only carriage return and "clear to end of line", so that the terminal stays usable however we end. */
function drawLine(text: string): void {
  // Read only when drawing: reading it makes the runtime set a pipe to non-blocking for every process that shares it.
  const columns = process.stderr.columns || COLUMNS_DEFAULT
  // A line that fills the last column may wrap.
  tell(ERR, `\r${shortened(text, columns - 1)}\x1b[K`)
}

// With the exit codes that shells use for them.
const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
// npm passes on a Ctrl-C that the terminal has sent to us already.
const SAME_SIGNAL_MS = 1_000

/** An operator who asks twice is not kept waiting: what was answered is on disk. */
function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    let askedAt: number | undefined
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        const now = performance.now()
        askedAt ??= now
        if (now - askedAt > SAME_SIGNAL_MS) process.exit(STOP_SIGNALS[signal])
        resolve(signal)
      })
    }
  })
}

function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const [signal, exitCode] of Object.entries(STOP_SIGNALS)) process.once(signal, () => stop.abort(exitCode))
  return stop.signal
}

// Where the service of the Debian package, and deploy/adbooth.service, keep everything.
const SERVICE_DATA = "/var/lib/adbooth"
const SERVICE_SETTINGS = "/etc/adbooth.env"

function installed(): Installed | null {
  if (storage.hasDatabaseIn("./data") || !existsSync(SERVICE_DATA)) return null
  const settingsFile = existsSync(SERVICE_SETTINGS) ? SERVICE_SETTINGS : null
  return { data: SERVICE_DATA, environment: environmentIn(SERVICE_SETTINGS), settingsFile }
}

/** As systemd reads it: NAME=value a line, quoted or not. A user who may not read it goes without. */
function environmentIn(file: string): Record<string, string> {
  try {
    const lines = readFileSync(file, "utf8").matchAll(/^[ \t]*(ADBOOTH_\w+)=(["']?)(.*?)\2[ \t]*$/gm)
    return Object.fromEntries([...lines].map(([, name = "", , value = ""]) => [name, value]))
  } catch {
    return {}
  }
}

/** The question goes to standard error: the output may be read by a program. */
async function ask(question: string): Promise<string | null> {
  if (!isatty(IN) || !isatty(ERR)) return null
  const { createInterface } = await import("node:readline")
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise((resolve, reject) => {
      terminal.on("SIGINT", () => reject(new Interrupted("", STOP_SIGNALS.SIGINT)))
      // Ctrl-D answers nothing.
      terminal.on("close", () => resolve(""))
      terminal.question(question, resolve)
    })
  } finally {
    terminal.close()
  }
}

const openStore: CliContext["openStore"] = async (place, how) =>
  (await storage.openStore(place, { ...how, stamp: fileStamp() })).store

const context: CliContext = {
  io: {
    out: (content) => writeFully(OUT, content),
    outStyled: (text) => writeFully(OUT, text),
    err: (text) => tell(ERR, text),
    isTerminal: isatty(ERR),
    outIsTerminal: isatty(OUT),
    outHasColours: isatty(OUT) && wantsColours(process.env),
    errHasColours: isatty(ERR) && wantsColours(process.env),
    // Read only where it is a terminal, for the reason that drawLine has.
    columns: () => (isatty(OUT) ? process.stdout.columns || COLUMNS_DEFAULT : null),
    outIsClosed: wasClosed(OUT),
    drawLine,
    ask,
    readInput: () => Bun.stdin.text(),
    inputStream: () => Bun.stdin.stream(),
  },
  environment: process.env,
  clock,
  random,
  ...storage,
  openStore,
  installed,
  serve,
  diskFreeBytes: (place) => diskBytes(place, "bavail"),
  modeOf,
  checkBackup: (file) => storage.checkBackup(file, fileStamp()),
  restore: (place, file, how) => storage.restore(place, file, { ...how, stamp: fileStamp() }),
  backups: storedBackups(openStore),
  rollback: (place, how) => storage.rollback(place, { ...how, stamp: fileStamp() }),
  wait: (seconds) => Bun.sleep(seconds * 1_000),
  deadline: (seconds) => AbortSignal.timeout(seconds * 1_000),
  stopSignal,
  versions,
}

process.exit(await run(process.argv.slice(2), context))
