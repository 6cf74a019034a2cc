import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Context, ReportContext } from "../src/actions/context.ts"
import { takeOverSettings } from "../src/actions/operations/agent-settings.ts"
import type { BackupFolder } from "../src/actions/operations/backups.ts"
import { type Config, resolveSettings } from "../src/config.ts"
import type { MovedValues } from "../src/domain/operations/former-settings.ts"
import type { ReservedPort } from "../src/doors/http/reserved-port.ts"
import { createMeasures } from "../src/doors/metrics/measures.ts"
import { backupFolder } from "../src/jobs/backup-folder.ts"
import { createLog } from "../src/log/log.ts"
import { startApp as start } from "../src/server/app.ts"
import { openStore } from "../src/storage/open.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { ON_POSTGRES } from "./engine.ts"
import { quickestFolder } from "./quickest-folder.ts"
import { type Store, wholeStore } from "./storage/contract/whole-store.ts"

export { type MovableClock, movableClock, nextTurn } from "./clock.ts"

/** A folder of its own that goes away with the test. */
export function temporaryFolder(parent = quickestFolder()): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(parent, "adbooth-test-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

export interface TestApp extends Context, AsyncDisposable {
  /** The whole store: tests arrange and look at what they like. */
  readonly store: Store
  readonly clock: MovableClock
  readonly config: Config
  readonly url: string
  /** Everything that was logged. */
  readonly logged: string[]
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface TestAppOptions {
  /** 2026-11-15T12:00:00Z unless given. */
  readonly now?: string
  /** Another app, on whose data and by whose clock this one runs too: another process, or another replica. */
  readonly beside?: TestApp
  /** Whether the fast path stays out, so that Elysia's routes answer everything. */
  readonly routesAlone?: boolean
  /** Ports that are open before the app is started. */
  readonly reserved?: ReadonlyMap<number, ReservedPort>
  /** What strangers get at an address. */
  readonly lookOutside?: (url: string) => Promise<{ readonly status: number; readonly text: string }>
  /** What was chosen in the app. */
  readonly chosen?: MovedValues
  /** Settings as on the command line, by their names in the config. */
  readonly options?: Readonly<Record<string, string>>
}

export type TestStore = Pick<TestApp, "store" | "clock" | "logged"> & AsyncDisposable

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

const EXECUTABLE = process.env["ADBOOTH_TEST_EXECUTABLE"]

/** The program as a process. `npm test` names the executable that it has just built: to load the source takes a second of a processor. */
export const PROGRAM: readonly string[] =
  EXECUTABLE === undefined ? [process.execPath, resolve("src/main.ts")] : [EXECUTABLE]

/** Where scheduled backups of an app go, made by `command`: the program itself unless given. */
export function backupFolderOf({ data, databaseUrl }: Config, command = PROGRAM): BackupFolder {
  const environment = { ...process.env, ADBOOTH_DATABASE_URL: databaseUrl ?? undefined }
  return backupFolder(join(data, "backups"), { command, data, environment })
}

interface TestData extends AsyncDisposable {
  /** The settings that say where it is. */
  readonly settings: Readonly<Record<string, string>>
}

let newDatabase: Promise<Uint8Array> | undefined

/** The database of a new installation, made once: to copy it costs little of what migrating does. */
export async function newDatabaseIn(data: string): Promise<void> {
  newDatabase ??= migrated()
  writeFileSync(join(data, "adbooth.db"), await newDatabase, { mode: 0o600 })
}

async function migrated(): Promise<Uint8Array> {
  using folder = temporaryFolder()
  const { config } = resolveSettings({ data: folder.path }, {})
  const { store } = await openStore(config, { create: true, stamp: "test", onCommit: undefined })
  await store[Symbol.asyncDispose]()
  return readFileSync(join(folder.path, "adbooth.db"))
}

async function temporaryData(): Promise<TestData> {
  const folder = temporaryFolder()
  const close = new AsyncDisposableStack()
  close.use(folder)
  if (!ON_POSTGRES) {
    await newDatabaseIn(folder.path)
    return { settings: { data: folder.path }, [Symbol.asyncDispose]: () => close.disposeAsync() }
  }
  const { freshDatabase } = await import("./storage/postgres/server.ts")
  const { url } = close.use(await freshDatabase())
  // A small pool: many connections of many tests would only queue up in the server.
  const settings = { data: folder.path, databaseUrl: `${url}&pool_size=4` }
  return { settings, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

function dataOf({ config: { data, databaseUrl } }: TestApp): TestData {
  const settings = { data, ...(databaseUrl !== null && { databaseUrl }) }
  return { settings, [Symbol.asyncDispose]: async () => undefined }
}

/** A store without a server: what runs in the background runs when the test says so. */
export async function openTestStore(now = "2026-11-15T12:00:00Z"): Promise<ReportContext & TestStore> {
  const storedIn = await temporaryData()
  const clock = movableClock(now)
  const { config } = resolveSettings(storedIn.settings, {})
  const opened = await openStore(config, { create: true, stamp: "test", sharedClock: clock, onCommit: undefined })
  const store = wholeStore(opened.store)
  const logged: string[] = []
  const log = createLog({ format: "json", clock, write: (line) => void logged.push(line) })
  return {
    store,
    clock,
    random,
    log,
    logged,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await storedIn[Symbol.asyncDispose]()
    },
  }
}

/** The real application on a temporary database and a free port, with a clock that tests move. */
export async function startApp(wishes: TestAppOptions = {}): Promise<TestApp> {
  const {
    now = "2026-11-15T12:00:00Z",
    options = {},
    chosen = {},
    beside,
    routesAlone = false,
    reserved,
    lookOutside,
  } = wishes
  const storedIn = beside === undefined ? await temporaryData() : dataOf(beside)
  const clock = beside?.clock ?? movableClock(now)
  const { config, problems, settings } = resolveSettings({ port: "0", ...storedIn.settings, ...options }, {})
  if (problems.length > 0) throw new Error(problems.join(" "))
  const measures = config.metricsPort === null ? undefined : createMeasures({})
  const { store: opened } = await openStore(config, {
    create: true,
    stamp: "test",
    sharedClock: clock,
    onCommit: measures?.commit,
  })
  const store = wholeStore(opened)
  const logged: string[] = []
  const log = createLog({ format: "json", clock, write: (line) => void logged.push(line) })
  const deps = {
    config,
    settings,
    store,
    log,
    clock,
    random,
    diskFreeBytes: async () => 10 ** 12,
    diskTotalBytes: async () => 4 * 10 ** 12,
    backupFolder: backupFolderOf(config),
    measures,
    reserved,
    lookOutside,
  }
  if (Object.keys(chosen).length > 0) await takeOverSettings({ store, clock }, chosen, "setup")
  const app = await (routesAlone ? start(deps, (_, routes) => routes) : start(deps))
  return {
    store,
    clock,
    random,
    config,
    url: app.url,
    logged,
    fetch: (path, init) => fetch(app.url + path, init),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await storedIn[Symbol.asyncDispose]()
    },
  }
}
