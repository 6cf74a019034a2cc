import { spawn, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SQL } from "bun"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { AS_NOBODY, postgresBinaries } from "./binaries.ts"

// A real PostgreSQL for tests: one for the whole test process, started when a test first asks for it, stopped and removed when the
// process ends, however it ends. ADBOOTH_TEST_POSTGRES=postgres://user:password@host/database names an existing server instead, where
// the user may create databases; so several test processes share one, and with ADBOOTH_TEST_TEMPLATE also its migrated database.

const SHARED_MEMORY = "/dev/shm"
const NAMED = process.env["ADBOOTH_TEST_POSTGRES"]
const STARTS_WITHIN_MS = 30_000

// The server belongs to a shell that waits for the end of its input: that end comes when this process is gone, even killed.
const KEEPER = `"$@" >"$FOLDER/log" 2>&1 & cat >/dev/null; kill -QUIT $!; wait $!; rm -rf "$FOLDER"`

let home: string | undefined

/** A folder for the server's own files, in memory where there is such a place. */
function homeFolder(): string {
  if (home !== undefined) return home
  home = mkdtempSync(join(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), "adbooth-pg-"))
  if (AS_NOBODY.uid !== undefined) chownSync(home, AS_NOBODY.uid, AS_NOBODY.gid)
  return home
}

const binaries = NAMED === undefined ? postgresBinaries(homeFolder) : "unused"

/** Why there is no PostgreSQL here; null when there is one. */
export const noPostgres: string | null = typeof binaries === "string" ? null : binaries.missing
if (noPostgres !== null) process.stderr.write(`\n*** TESTS WITH POSTGRESQL ARE SKIPPED: ${noPostgres}. ***\n\n`)

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

async function start(): Promise<TestServer> {
  if (typeof binaries !== "string") throw new Error(binaries.missing)
  const folder = homeFolder()
  const data = join(folder, "data")
  const options = ["--username=adbooth", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
  const made = spawnSync(join(binaries, "initdb"), [`--pgdata=${data}`, ...options], {
    ...AS_NOBODY,
    cwd: "/",
    encoding: "utf8",
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ""}`)
  const port = freePort()
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    fsync: "off",
    max_connections: 300,
    unix_socket_directories: "",
  }
  const server = [
    join(binaries, "postgres"),
    ...["-D", data],
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]
  runUntilWeEnd(server, folder)
  return await answering(serverAt(`postgres://adbooth@127.0.0.1:${port}/postgres?sslmode=disable`))
}

function runUntilWeEnd(server: readonly string[], folder: string): void {
  const options = { ...AS_NOBODY, cwd: "/", env: { ...process.env, FOLDER: folder } }
  if (process.platform === "win32") {
    const [program = "", ...given] = server
    const child = spawn(program, given, { ...options, stdio: "ignore" })
    process.on("exit", () => {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    return
  }
  // A session of its own, so that Ctrl-C does not end the keeper before it has cleared up.
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "sh", ...server], {
    ...options,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  keeper.unref()
}

function freePort(): number {
  using listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  return listener.port
}

function serverAt(named: string): TestServer {
  // Tests add options of their own.
  const url = named.includes("?") ? named : `${named}?sslmode=prefer`
  const urlOf = (database: string) => url.replace(/^(postgres(?:ql)?:\/\/[^/]+\/)[^?]*/, `$1${database}`)
  return { urlOf, owner: new SQL(url, { max: 4 }) }
}

async function answering(server: TestServer): Promise<TestServer> {
  const end = performance.now() + STARTS_WITHIN_MS
  for (;;) {
    try {
      await server.owner`SELECT 1`
      return server
    } catch (cause) {
      if (performance.now() > end) throw cause
      await Bun.sleep(20)
    }
  }
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
  return { ADBOOTH_TEST_POSTGRES: (await testServer()).urlOf("postgres"), ADBOOTH_TEST_TEMPLATE: await template }
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
  const drop = async () => void (await owner.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return { name, url: urlOf(name), [Symbol.asyncDispose]: drop }
}
