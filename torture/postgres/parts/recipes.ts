import { spawnSync } from "node:child_process"
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SQL } from "bun"
import { freePort } from "../../../test/free-port.ts"
import { AS_NOBODY } from "../../../test/storage/postgres/binaries.ts"
import { until } from "../../../test/until.ts"
import { furnish, serve } from "../../harness/booth.ts"
import { Ledger } from "../../harness/ledger.ts"
import { scratch } from "../../harness/part.ts"
import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { postgresPart } from "../cluster.ts"
import { acceptedAgain, startLoad } from "../load.ts"
import { guideBlocks } from "./guide.ts"
import { verdictsOf } from "./replica-kill.ts"

const DEBIAN = "/usr/lib/postgresql"
const OURS = "choose-one"

/** Where all programs of a PostgreSQL are, with pg_rewind: those of the tests have only the server. */
function programs(): string | null {
  const named = process.env["ADBOOTH_TORTURE_POSTGRES"]
  if (named !== undefined) return named
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort() : []
  return (
    versions.map((version) => join(DEBIAN, version, "bin")).findLast((bin) => existsSync(join(bin, "pg_rewind"))) ??
    null
  )
}

const withPrograms = postgresPart(
  "recipes",
  "what the guide says about roles, standbys, a failover and the return of the old primary works as it is written, with nothing accepted lost",
  async ({ seed }) => {
    await using opened = new AsyncDisposableStack()
    const folder = opened.use(scratch())
    const machines = threeMachines(folder.path, programs() ?? "")
    opened.defer(() => machines.stop())
    const [db1, db2, db3] = machines.all
    const [once, hba, copy, synchronous, failover, rewind] = guideBlocks("Standbys").map(([, text]) => text)
    await firstStart(machines, db1, [once ?? "", hba ?? ""])
    for (const [place, db] of [db2, db3].entries()) {
      db.shell((copy ?? "").replaceAll("db2", `db${place + 2}`), db1)
    }
    await db1.sql(synchronous ?? "")
    const url = `postgres://adbooth:${OURS}@${machines.all.map(({ address }) => `${address}:${machines.port}`).join(",")}/adbooth?sslmode=disable`
    const env = { ADBOOTH_DATABASE_URL: url }
    const booth = await furnish(join(folder.path, "data"), { lines: 100, env })
    const server = opened.use(await serve(booth.data, { env }))
    const ledger = new Ledger(booth)
    const problems: string[] = []
    const load = startLoad(server.url, ledger, { clients: 2, random: seeded(seed), problems })
    await acceptedAgain(ledger, 10_000)
    db1.shell('pg_ctl -D "$PGDATA" stop -m immediate', db1)
    db2.shell('pg_ctl -D "$PGDATA" promote', db2)
    const [onDb2 = "", onDb3 = ""] = (failover ?? "").split("-- On db3:")
    await db2.sql(onDb2)
    await db3.sql(onDb3)
    if ((await acceptedAgain(ledger, 20_000)) === null)
      problems.push("nothing was accepted for 20 s after the failover")
    db1.shell(rewind ?? "", db2)
    await until(
      async () => (await db2.rows("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'")).length === 2,
    )
    const waits = await db2.rows("SHOW synchronous_standby_names")
    await load.stop()
    problems.push(
      ...(await bookProblems(
        { ledger, env, booth },
        `postgres://adbooth:${OURS}@${db2.address}:${machines.port}/adbooth?sslmode=disable`,
      )),
    )
    return {
      done: `PostgreSQL of ${programs()}: role, standbys, failover to db2 and return of db1, each block of the guide as it stands there, under load of 2 clients`,
      figures: `afterwards db1 and db3 follow db2 and commits wait for ${JSON.stringify(waits[0])}; ${ledger.acceptedCount.toLocaleString("en")} items accepted and there, ${verdictsOf(ledger.verdicts)}`,
      problems,
    }
  },
)

export const recipes: typeof withPrograms =
  programs() === null
    ? { ...withPrograms, run: async () => ({ skipped: "There is no pg_rewind here (Debian: postgresql)." }) }
    : withPrograms

interface Machine {
  readonly address: string
  /** Runs a block of the guide there; hosts that it names are the other machine. */
  shell(block: string, other: Machine): void
  sql(block: string, database?: string): Promise<void>
  rows(statement: string): Promise<unknown[]>
  readonly data: string
}

type Machines = ReturnType<typeof threeMachines>

/** Three addresses of this machine. Names of hosts are told to libpq by the environment, the server's own address by a pg_ctl before the real one. */
function threeMachines(folder: string, bin: string) {
  const port = freePort()
  const shims = join(folder, "bin")
  mkdirSync(shims)
  const shim = `#!/bin/sh\ncase "$*" in *start) PGHOSTADDR=$NEXT exec ${bin}/pg_ctl "$@" -w -l "$PGDATA/../log" -o "-c listen_addresses=$OWN -c unix_socket_directories=";; *) exec ${bin}/pg_ctl "$@" -w;; esac\n`
  writeFileSync(join(shims, "pg_ctl"), shim)
  chmodSync(join(shims, "pg_ctl"), 0o755)
  for (const path of [folder, shims]) chmodSync(path, 0o755)
  const all = [1, 2, 3].map((n): Machine => {
    const address = `127.0.0.${10 + n}`
    const home = join(folder, `db${n}`)
    mkdirSync(home)
    if (AS_NOBODY.uid !== undefined) chownSync(home, AS_NOBODY.uid, AS_NOBODY.gid)
    const data = join(home, "data")
    const urlOf = (database: string) => `postgres://postgres:super@${address}:${port}/${database}?sslmode=disable`
    const each = async (block: string, database: string) => {
      await using client = new SQL(urlOf(database), { max: 1 })
      let rows: unknown[] = []
      for (const statement of block.split(/;\s*$/m).filter((text) => text.replace(/--.*/g, "").trim() !== ""))
        rows = Array.from(await client.unsafe<unknown[]>(statement))
      return rows
    }
    return {
      address,
      data,
      shell(block, other) {
        const env = {
          ...{ PATH: `${shims}:${bin}:${process.env["PATH"]}`, LD_LIBRARY_PATH: process.env["LD_LIBRARY_PATH"] ?? "" },
          ...{
            PGDATA: data,
            PGPORT: String(port),
            PGHOSTADDR: other.address,
            OWN: address,
            NEXT: "127.0.0.12",
            LC_ALL: "C",
          },
        }
        const done = spawnSync("sh", ["-euc", block], {
          ...AS_NOBODY,
          env,
          cwd: "/",
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"],
        })
        if (done.status !== 0) throw new Error(`${block}\nended with ${done.status}: ${done.stdout}${done.stderr}`)
      },
      sql: async (block, database = "postgres") => void (await each(block, database)),
      rows: (statement) => each(statement, "postgres"),
    }
  }) as unknown as readonly [Machine, Machine, Machine]
  return {
    all,
    port,
    stop() {
      for (const db of all)
        if (existsSync(join(db.data, "postmaster.pid"))) db.shell('pg_ctl -D "$PGDATA" stop -m immediate', db)
    },
  }
}

/** A server as a package makes it, and in it what the guide says about the database and its role. */
async function firstStart({ port }: Machines, db: Machine, [once, hba]: readonly [string, string]): Promise<void> {
  const options = "--username=postgres --encoding=UTF8 --locale=C --auth=scram-sha-256 --pwfile=/dev/fd/3 --no-sync"
  db.shell(`initdb -D "$PGDATA" ${options} 3<<END\nsuper\nEND`, db)
  const network = (text: string) => text.replace("10.0.0.0/8", "127.0.0.0/8")
  appendFileSync(join(db.data, "pg_hba.conf"), network(`host all all 10.0.0.0/8 scram-sha-256\n${hba}`))
  appendFileSync(join(db.data, "postgresql.conf"), `port = ${port}\n`)
  db.shell('pg_ctl -D "$PGDATA" start', db)
  const [asSuperuser = "", inDatabase = ""] = guideBlocks("The database and its role").flatMap(([language, text]) =>
    language === "sql" ? [text] : [],
  )
  await db.sql(asSuperuser)
  await db.sql(inDatabase, "adbooth")
  await db.sql(once)
  db.shell('pg_ctl -D "$PGDATA" stop', db)
  db.shell('pg_ctl -D "$PGDATA" start', db)
}
