import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Context } from "../src/actions/context.ts"
import { type Config, settle } from "../src/config.ts"
import { createMeasures } from "../src/doors/metrics/measures.ts"
import { backupFolder } from "../src/jobs/backup-folder.ts"
import { createLog } from "../src/log/log.ts"
import { startApp as start } from "../src/server/app.ts"
import type { Store } from "../src/storage/port/store.ts"
import { sqliteStore } from "../src/storage/sqlite/index.ts"
import { type MovableClock, movableClock } from "./clock.ts"

export { type MovableClock, movableClock, nextTurn } from "./clock.ts"

/** A folder of its own that goes away with the test. */
export function temporaryFolder(parent = tmpdir()): Disposable & { readonly path: string } {
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
  /** Another app, on whose data directory and by whose clock this one runs too. */
  readonly beside?: TestApp
  /** Whether the fast path stays out, so that Elysia's routes answer everything. */
  readonly routesAlone?: boolean
  /** Settings as on the command line, by their names in the config. */
  readonly options?: Readonly<Record<string, string>>
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

/** The real application on a temporary database and a free port, with a clock that tests move. */
export async function startApp(wishes: TestAppOptions = {}): Promise<TestApp> {
  const { now = "2026-11-15T12:00:00Z", options = {}, beside, routesAlone = false } = wishes
  const folder =
    beside === undefined ? temporaryFolder() : { path: beside.config.data, [Symbol.dispose]: () => undefined }
  const clock = beside?.clock ?? movableClock(now)
  const { config, problems } = settle({ port: "0", data: folder.path, ...options }, {})
  if (problems.length > 0) throw new Error(problems.join(" "))
  const measures = config.metricsPort === null ? undefined : createMeasures()
  const { store } = sqliteStore(config.data, "test", { onCommit: measures?.commit })
  const logged: string[] = []
  const log = createLog({ format: "json", clock, write: (line) => void logged.push(line) })
  const deps = {
    config,
    store,
    log,
    clock,
    random,
    diskFreeBytes: async () => 10 ** 12,
    backupFolder: ({ data }: Config) =>
      backupFolder(join(data, "backups"), data, [process.execPath, resolve("src/main.ts")]),
    measures,
  }
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
      folder[Symbol.dispose]()
    },
  }
}
