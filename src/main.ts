import { mkdtempSync, readFileSync, rmSync, statSync, writeSync } from "node:fs"
import { stat, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isatty } from "node:tty"
import type { Context } from "./actions/context.ts"
import { issueSetupLink } from "./actions/issue-link.ts"
import { makeOperator } from "./actions/make-operator.ts"
import { startApp } from "./app.ts"
import { backupFolder } from "./backup-folder.ts"
import type { Config } from "./config.ts"
import { daysAround } from "./demo/days.ts"
import { demoGuide } from "./demo/guide.ts"
import { seedDemo } from "./demo/seed.ts"
import { Trouble } from "./domain/trouble.ts"
import { SETUP_LINK_MINUTES } from "./domain/user.ts"
import type { CliContext } from "./doors/cli/context.ts"
import { run } from "./doors/cli/index.ts"
import { openapiDocument } from "./doors/ingest/openapi.ts"
import { createMeasures } from "./doors/metrics/measures.ts"
import { gatherLines } from "./gather-lines.ts"
import { createLog } from "./log.ts"
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

async function serve(wanted: Config, { demo }: { readonly demo: boolean }): Promise<void> {
  const stopped = untilStopped()
  using folder = demo ? throwAwayFolder() : null
  const config = folder === null ? wanted : { ...wanted, data: folder.path }
  const lines = gatherLines((text) => void process.stderr.write(text))
  process.on("exit", lines.flush)
  const log = createLog({
    format: config.logFormat ?? (isatty(2) ? "text" : "json"),
    clock,
    write: lines.add,
  })
  const measures = config.metricsPort === null ? undefined : createMeasures()
  const { store, migrated } = openStore(config.data, { create: true }, { onCommit: measures?.commit })
  await using _ = store
  if (migrated.copy !== null)
    log.info("database upgraded", { from: migrated.from, to: migrated.to, copy: migrated.copy })
  await firstOperator(config, { store, clock, random })
  const secrets = demo ? await seedDemo({ store, clock, random, log }) : null
  await using app = await startApp({
    config,
    store,
    log,
    clock,
    random,
    diskFreeBytes,
    backupFolder: folderFor,
    measures,
  })
  if (secrets) process.stdout.write(demoGuide(config.publicUrl ?? app.url, daysAround(clock()), secrets))
  await welcome(config.publicUrl ?? app.url, { store, clock, random })
  process.stdout.write(`listening on ${app.url}\n`)
  log.info("stopping", { signal: await stopped })
}

async function firstOperator({ operatorEmail, operatorPasswordFile }: Config, context: Context): Promise<void> {
  if (operatorEmail === null || operatorPasswordFile === null) return
  await makeOperator(context, operatorEmail, readPassword(operatorPasswordFile))
}

function readPassword(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "")
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Trouble(`The operator's password file cannot be read (${reason}).`, { cause })
  }
}

/** While there is no operator, the terminal shows how to become it. A file never gets to see the link. */
async function welcome(url: string, context: Context): Promise<void> {
  if (!isatty(1)) return
  const link = await issueSetupLink(context)
  if (link === null) return
  process.stdout.write(
    `\nOpen this link within ${SETUP_LINK_MINUTES} minutes to make the first operator:\n${url}${link}\n\n`,
  )
}

/** Where the demo lives: no real data is touched, and nothing is left behind. */
function throwAwayFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "adbooth-demo-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
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
  openapi: openapiDocument,
  versions: async () => versions(),
}

process.exit(await run(process.argv.slice(2), context))
