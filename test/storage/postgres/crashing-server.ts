import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../free-port.ts"
import { until } from "../../until.ts"
import { answering, newCluster, runUntilWeEnd, serverFolder } from "./cluster.ts"

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
  const folder = serverFolder(durable)
  const { data, binaries } = newCluster(folder)
  const port = freePort()
  const url = `postgres://adbooth@127.0.0.1:${port}/postgres?sslmode=disable`
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", ...more]
  if (!durable) settings.push("fsync=off")
  const ends: (() => void)[] = []

  async function start(): Promise<void> {
    const server = [join(binaries, "postgres"), "-D", data, ...settings.flatMap((one) => ["-c", one])]
    ends.push(runUntilWeEnd(server, folder))
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
      for (const end of ends) end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)
}
