import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { SQL } from "bun"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { freePort } from "../../free-port.ts"
import { AS_NOBODY, postgresBinaries } from "./binaries.ts"
import { answering, newCluster, runUntilWeEnd, serverFolder } from "./cluster.ts"

// A real PostgreSQL for tests: one for the whole test process, started when a test first asks for it, stopped and removed when the
// process ends, however it ends. ADBOOTH_TEST_POSTGRES=postgres://user:password@host/database names an existing server instead, where
// the user may create databases; so several test processes share one, and with ADBOOTH_TEST_TEMPLATE also its migrated database.

const NAMED = process.env["ADBOOTH_TEST_POSTGRES"]

let home: string | undefined
const homeFolder = () => {
  home ??= serverFolder()
  return home
}

const binaries = NAMED === undefined ? postgresBinaries(homeFolder) : "unused"

/** Why there is no PostgreSQL here; null when there is one. */
export const noPostgres: string | null = typeof binaries === "string" ? null : binaries.missing
if (noPostgres !== null) console.error(`SKIPPED: tests with PostgreSQL: ${noPostgres}.`)

export interface TestServer {
  /** The URL of a database of this server. */
  urlOf(database: string): string
  /** As the owner of everything. */
  readonly owner: SQL
}

let started: Promise<TestServer> | undefined

export function testServer(): Promise<TestServer> {
  started ??= NAMED === undefined ? start() : Promise.resolve(serverAt(NAMED))
  return started
}

/** As it was before its first start, for those who want one of their own. */
const untouched = () => join(homeFolder(), "untouched")

async function start(): Promise<TestServer> {
  const folder = homeFolder()
  const { data, binaries: programs } = newCluster(folder)
  spawnSync("cp", ["-a", data, untouched()], { ...AS_NOBODY, cwd: "/" })
  const port = freePort()
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    fsync: "off",
    max_connections: 300,
    unix_socket_directories: "",
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  runUntilWeEnd([join(programs, "postgres"), "-D", data, ...options], folder)
  const url = `postgres://adbooth@127.0.0.1:${port}/postgres?sslmode=disable`
  await answering(url)
  return serverAt(url)
}

function serverAt(named: string): TestServer {
  // Tests add options of their own.
  const url = named.includes("?") ? named : `${named}?sslmode=prefer`
  const urlOf = (database: string) => url.replace(/^(postgres(?:ql)?:\/\/[^/]+\/)[^?]*/, `$1${database}`)
  return { urlOf, owner: new SQL(url, { max: 4 }) }
}

export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly url: string
}

// Not the number of the process: that is given out again.
const OURS = crypto.randomUUID().slice(0, 8)
let made = 0

/** A database without any table. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template0")
}

let template: Promise<string> | undefined

/** An empty store's database: a copy of one that was migrated once. */
export async function freshDatabase(): Promise<TestDatabase> {
  template ??= migratedTemplate()
  return createDatabase(await template)
}

async function migratedTemplate(): Promise<string> {
  const named = process.env["ADBOOTH_TEST_TEMPLATE"]
  if (named !== undefined) return named
  const database = await emptyDatabase()
  const { store } = await postgresStore(database.url)
  await store[Symbol.asyncDispose]()
  return database.name
}

/** The environment in which other test processes use the server of this one. */
export async function sharedServer(): Promise<Record<string, string>> {
  template ??= migratedTemplate()
  const { urlOf } = await testServer()
  return {
    ADBOOTH_TEST_POSTGRES: urlOf("postgres"),
    ADBOOTH_TEST_TEMPLATE: await template,
    ...(NAMED === undefined && process.platform !== "win32" && { ADBOOTH_TEST_CLUSTER: untouched() }),
  }
}

let strategy: Promise<string> | undefined

/** Half the time where nothing is flushed to a disk. Servers before 15 do not know the word. */
async function fastestStrategy(owner: SQL): Promise<string> {
  const [{ is_faster: isFaster }] = await owner`
    SELECT current_setting('fsync') = 'off' AND current_setting('server_version_num')::int >= 150000 AS is_faster`
  return isFaster ? "STRATEGY FILE_COPY" : ""
}

async function createDatabase(from: string): Promise<TestDatabase> {
  const { owner, urlOf } = await testServer()
  const name = `adbooth_test_${OURS}_${++made}`
  strategy ??= fastestStrategy(owner)
  await owner.unsafe(`CREATE DATABASE ${name} TEMPLATE ${from} ENCODING 'UTF8' LOCALE 'C' ${await strategy}`)
  const drop = async () => {
    await untilLeft(owner, name)
    await owner.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  return { name, url: urlOf(name), [Symbol.asyncDispose]: drop }
}

const LOOKS_MAX = 100

/**
 * A connection that was closed ends within milliseconds, but a server that is to drop a database where one is still ending sleeps for a
 * tenth of a second first. Those that a test left open are ended with the database.
 */
async function untilLeft(owner: SQL, name: string): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const open = await owner`SELECT state FROM pg_stat_activity WHERE datname = ${name}`
    if (open.length === 0 || open.some(({ state }: { state: string }) => state === "active")) return
  }
}
