import { spawn, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SQL } from "bun"
import { until } from "../../until.ts"
import { AS_NOBODY, postgresBinaries } from "./binaries.ts"

const SHARED_MEMORY = "/dev/shm"
// As in server.ts: the server ends with the shell, and the shell with our end of its input.
const KEEPER = `"$@" >>"$FOLDER/log" 2>&1 & cat >/dev/null; kill -QUIT $! 2>/dev/null; kill -CONT $! 2>/dev/null; wait $!; rm -rf "$FOLDER"`

/** A PostgreSQL of its own that a test may crash, as a power cut would: without fsync only while the machine itself lives on. */
export interface CrashingServer extends Disposable {
  readonly url: string
  readonly port: number
  /** The folder of its data. */
  readonly data: string
  crash(): Promise<void>
  start(): Promise<void>
  /** Stops every process of it where it stands; connections stay open and nobody answers. */
  freeze(): void
  thaw(): void
}

export interface CrashingOptions {
  /** On a disk and with fsync, as in production. */
  readonly durable?: boolean
  /** As "name=value". */
  readonly settings?: readonly string[]
}

export async function crashingServer(options: CrashingOptions = {}): Promise<CrashingServer> {
  const { durable = false, settings: more = [] } = options
  const folder = mkdtempSync(join(!durable && existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), "adbooth-pg-"))
  if (AS_NOBODY.uid !== undefined) chownSync(folder, AS_NOBODY.uid, AS_NOBODY.gid)
  const binaries = postgresBinaries(() => folder)
  if (typeof binaries !== "string") throw new Error(binaries.missing)
  const data = join(folder, "data")
  const layout = ["--username=adbooth", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
  const made = spawnSync(join(binaries, "initdb"), [`--pgdata=${data}`, ...layout], { ...AS_NOBODY, cwd: "/" })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = freePort()
  const url = `postgres://adbooth@127.0.0.1:${port}/postgres?sslmode=disable`
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", ...more]
  if (!durable) settings.push("fsync=off")
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

  const pidFile = join(data, "postmaster.pid")
  const pid = () => Number(readFileSync(pidFile, "utf8").split("\n")[0])

  await start()
  return {
    url,
    port,
    data,
    start,
    async crash() {
      // As `pg_ctl stop -m immediate` does it.
      process.kill(pid(), "SIGQUIT")
      await until(() => !existsSync(pidFile))
    },
    freeze() {
      // First the one that starts the others.
      for (const one of [pid(), ...childrenOf(pid())]) process.kill(one, "SIGSTOP")
    },
    thaw() {
      for (const one of [...childrenOf(pid()), pid()]) process.kill(one, "SIGCONT")
    },
    [Symbol.dispose]() {
      for (const keeper of keepers) keeper.stdin?.end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)
}

export function freePort(): number {
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
