import { spawn, spawnSync } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../../test/free-port.ts"
import { AS_NOBODY } from "../../../test/storage/postgres/binaries.ts"
import { type Outcome, scratch } from "../../harness/part.ts"
import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { postgresPart, startCluster } from "../cluster.ts"
import { acceptedAgain, startLoad } from "../load.ts"
import { guideBlock } from "./guide.ts"
import { exactOver } from "./limits.ts"
import { verdictsOf } from "./replica-kill.ts"

const PROGRAM = Bun.which("pgbouncer") ?? Bun.which("pgbouncer", { PATH: "/usr/sbin:/usr/local/sbin" })
const LOAD_MS = 5_000

const withPgbouncer = postgresPart(
  "pgbouncer",
  "behind PgBouncer in transaction mode nothing accepted is lost and limits are exact, also after PostgreSQL was killed",
  async ({ seed }) => {
    const version = versionOf(PROGRAM ?? "")
    const ways = carriesPrepared(version) ? [true, false] : [false]
    const outcomes: Outcome[] = []
    for (const prepare of ways) outcomes.push(await behindPgbouncer(prepare, seed))
    const without = ways.length === 1 ? "; prepared statements not tried: they need 1.21 or newer" : ""
    return {
      done: `PgBouncer ${version}, transaction mode, 5 connections for three replicas: limits, then a load of 2 clients with PostgreSQL killed once${without}`,
      figures: outcomes.map(({ figures }) => figures).join("; "),
      problems: outcomes.flatMap(({ problems }) => problems),
    }
  },
)

export const pgbouncer: typeof withPgbouncer =
  PROGRAM === null
    ? { ...withPgbouncer, run: async () => ({ skipped: "There is no pgbouncer here (Debian: pgbouncer)." }) }
    : withPgbouncer

async function behindPgbouncer(prepare: boolean, seed: number): Promise<Outcome> {
  await using opened = new AsyncDisposableStack()
  let port = 0
  const cluster = opened.use(
    await startCluster({
      serving: () => ({ args: ["--limit-ingest", "60"] }),
      urlOf(_, database) {
        if (port === 0) port = opened.use(startPgbouncer(database.port)).port
        return `${database.url.replace(`:${database.port}/`, `:${port}/`)}&prepare=${prepare}`
      },
    }),
  )
  const { ledger, proxy, database } = cluster
  const { problems, admitted } = await exactOver(cluster)
  // The load has a limit too: each of its requests counts whether it was lost or not, so it is small.
  const load = startLoad(proxy.url, ledger, { clients: 2, random: seeded(seed), problems })
  await acceptedAgain(ledger, 5_000)
  await database.crash()
  await database.start()
  if ((await acceptedAgain(ledger, 15_000)) === null) problems.push("nothing was accepted for 15 s after the crash")
  await Bun.sleep(LOAD_MS)
  await load.stop()
  if (ledger.verdicts.has("500")) problems.push("reports were answered 500")
  problems.push(...(await bookProblems(cluster, database.url)))
  const accepted = ledger.acceptedCount.toLocaleString("en")
  return {
    done: "",
    figures: `${prepare ? "with" : "without"} prepared statements: ${admitted.join(", ")} of 75 admitted, the revoked key 401 at once, ${accepted} items accepted and there, ${verdictsOf(ledger.verdicts)}`,
    problems,
  }
}

function versionOf(program: string): string {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" })
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? "of an unknown version"
}

function carriesPrepared(version: string): boolean {
  return Bun.semver.order(version, "1.21.0") >= 0
}

function startPgbouncer(databasePort: number): Disposable & { readonly port: number } {
  const folder = scratch()
  const port = freePort()
  const settings = [
    ...["[databases]", `postgres = host=127.0.0.1 port=${databasePort} user=adbooth`, "[pgbouncer]"],
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = any"],
    ...guideBlock("ini", "PgBouncer").split("\n"),
    ...["default_pool_size = 5", "max_client_conn = 200"],
    ...(carriesPrepared(versionOf(PROGRAM ?? "")) ? ["max_prepared_statements = 200"] : []),
  ]
  const file = join(folder.path, "pgbouncer.ini")
  writeFileSync(file, `${settings.join("\n")}\n`)
  // Whoever is root must not run it either.
  chmodSync(folder.path, 0o755)
  const child = spawn(PROGRAM ?? "", ["--quiet", file], { ...AS_NOBODY, cwd: "/", stdio: "ignore" })
  return {
    port,
    [Symbol.dispose]() {
      child.kill("SIGKILL")
      folder[Symbol.dispose]()
    },
  }
}
