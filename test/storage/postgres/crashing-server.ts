import { spawn, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SQL } from "bun"
import { AS_NOBODY, postgresBinaries } from "./binaries.ts"

const SHARED_MEMORY = "/dev/shm"
// As in server.ts: the server ends with the shell, and the shell with our end of its input.
const KEEPER = `"$@" >>"$FOLDER/log" 2>&1 & cat >/dev/null; kill -QUIT $! 2>/dev/null; wait $!; rm -rf "$FOLDER"`

/** A PostgreSQL of its own that a test may crash, as a power cut would: without fsync only while the machine itself lives on. */
export interface CrashingServer extends Disposable {
  readonly url: string
  crash(): Promise<void>
  start(): Promise<void>
}

export async function crashingServer(): Promise<CrashingServer> {
  const folder = mkdtempSync(join(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), "adbooth-pg-"))
  if (AS_NOBODY.uid !== undefined) chownSync(folder, AS_NOBODY.uid, AS_NOBODY.gid)
  const binaries = postgresBinaries(() => folder)
  if (typeof binaries !== "string") throw new Error(binaries.missing)
  const data = join(folder, "data")
  const options = ["--username=adbooth", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
  const made = spawnSync(join(binaries, "initdb"), [`--pgdata=${data}`, ...options], { ...AS_NOBODY, cwd: "/" })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = freePort()
  const url = `postgres://adbooth@127.0.0.1:${port}/postgres?sslmode=disable`
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "fsync=off", "unix_socket_directories="]
  const keepers: ReturnType<typeof spawn>[] = []

  async function start(): Promise<void> {
    const server = [join(binaries as string, "postgres"), "-D", data, ...settings.flatMap((one) => ["-c", one])]
    const keeper = spawn("/bin/sh", ["-c", KEEPER, "sh", ...server], {
      ...AS_NOBODY,
      cwd: "/",
      env: { ...process.env, FOLDER: folder },
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    })
    keeper.unref()
    keepers.push(keeper)
    await answering(url)
  }

  await start()
  return {
    url,
    start,
    async crash() {
      const file = join(data, "postmaster.pid")
      const [pid] = readFileSync(file, "utf8").split("\n")
      // As `pg_ctl stop -m immediate` does it.
      process.kill(Number(pid), "SIGQUIT")
      while (existsSync(file)) await Bun.sleep(5)
    },
    [Symbol.dispose]() {
      for (const keeper of keepers) keeper.stdin?.end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function freePort(): number {
  using listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  return listener.port
}

async function answering(url: string): Promise<void> {
  const end = performance.now() + 30_000
  for (;;) {
    const client = new SQL(url, { max: 1 })
    try {
      await client`SELECT 1`
      return
    } catch (cause) {
      if (performance.now() > end) throw cause
      await Bun.sleep(20)
    } finally {
      await client.close().catch(() => undefined)
    }
  }
}
