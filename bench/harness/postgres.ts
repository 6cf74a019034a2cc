import { spawn } from "node:child_process"
import { chownSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SQL } from "bun"
import { freePort } from "../../test/free-port.ts"
import { AS_NOBODY, postgresBinaries } from "../../test/storage/postgres/binaries.ts"
import { childrenOf, cpuSecondsOf, cpuSecondsWithEnded } from "./processor-time.ts"

const STARTS_WITHIN_MS = 120_000
// The server belongs to a shell that waits for the end of its input: that end comes when this process is gone, even killed.
const KEEPER = `"$@" >"$FOLDER/log" 2>&1 & echo $!; cat >/dev/null; kill -INT $!; wait $!; rm -rf "$FOLDER"`

export interface PostgresServer extends AsyncDisposable {
  readonly version: string
  /** The URL of a new, empty database. */
  newDatabase(): Promise<string>
  /** Processor time of all of its processes since it started. */
  cpuSeconds(): number
}

/** A PostgreSQL of its own as it comes: everything on the disk, fsync and synchronous_commit on, no setting tuned. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "adbooth-bench-pg-"))
  if (AS_NOBODY.uid !== undefined) chownSync(folder, AS_NOBODY.uid, AS_NOBODY.gid)
  const binaries = postgresBinaries(() => folder)
  if (typeof binaries !== "string") throw new Error(binaries.missing)
  const data = join(folder, "data")
  const init = ["--username=adbooth", "--auth=trust", "--encoding=UTF8", "--locale=C", `--pgdata=${data}`]
  const made = Bun.spawnSync([join(binaries, "initdb"), ...init], { ...AS_NOBODY, cwd: "/" })
  if (!made.success) throw new Error(`initdb failed: ${made.stderr}`)
  const port = freePort()
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-p", String(port)]
  const server = [join(binaries, "postgres"), "-D", data, ...settings]
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "sh", ...server], {
    ...AS_NOBODY,
    cwd: "/",
    env: { ...process.env, FOLDER: folder },
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  })
  const ended = new Promise((resolve) => keeper.once("exit", resolve))
  const pid = await new Promise<number>((resolve) => keeper.stdout.once("data", (line) => resolve(Number(line))))
  const urlOf = (database: string) => `postgres://adbooth@127.0.0.1:${port}/${database}?sslmode=disable`
  const owner = new SQL(urlOf("postgres"), { max: 1 })
  const version = await versionOf(owner)
  let databases = 0
  return {
    version,
    async newDatabase() {
      const name = `bench_${++databases}`
      await owner.unsafe(`CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    cpuSeconds: () => cpuSecondsWithEnded(pid) + childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), 0),
    async [Symbol.asyncDispose]() {
      await owner.close()
      keeper.stdin.end()
      await ended
    },
  }
}

async function versionOf(owner: SQL): Promise<string> {
  const end = performance.now() + STARTS_WITHIN_MS
  for (;;) {
    try {
      const [row] = await owner<{ server_version: string }[]>`SHOW server_version`
      return row?.server_version ?? "of an unknown version"
    } catch (cause) {
      if (performance.now() > end) throw cause
      await Bun.sleep(20)
    }
  }
}
