import { startServer } from "../../test/harness/postgres.ts"
import { type Booth, furnish } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { type Server, serve } from "../harness/program.ts"
import { storedInPostgres } from "../harness/stored.ts"

/** A PostgreSQL server of its own that syncs, and some servers of ours on one database. */
export interface Cluster extends AsyncDisposable {
  readonly postgres: Awaited<ReturnType<typeof startServer>>
  readonly booth: Booth
  readonly ledger: Ledger
  readonly servers: Server[]
  /** One server after the other. */
  url(): string
  /** Kills a server and starts another one in its place. */
  replace(index: number): Promise<void>
  /** What is wrong in the database, compared with the answers. */
  problems(): Promise<string[]>
}

interface ClusterOptions {
  readonly options?: readonly string[]
  /** The URL at which the servers reach the database with this URL. */
  readonly through?: (databaseUrl: string) => Promise<string>
}

export async function startCluster(count: number, { options = [], through }: ClusterOptions = {}): Promise<Cluster> {
  const postgres = await startServer({ fsync: "on", full_page_writes: "on", autovacuum: "on" })
  await postgres.owner`CREATE DATABASE torture TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`
  const databaseUrl = postgres.urlOf("torture")
  const url = through === undefined ? databaseUrl : await through(databaseUrl)
  const booth = await furnish(["--database-url", url], 100)
  const servers = await Promise.all(Array.from({ length: count }, () => serve(booth.place, { options })))
  const ledger = new Ledger(booth)
  let turn = 0
  return {
    postgres,
    booth,
    ledger,
    servers,
    url: () => servers[turn++ % servers.length]?.url ?? "",
    async replace(index) {
      await servers[index]?.end("SIGKILL")
      servers[index] = await serve(booth.place, { options })
    },
    async problems() {
      const { reports, problems } = await storedInPostgres(databaseUrl)
      return [...ledger.problems(reports), ...problems]
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.end("SIGKILL")))
      await postgres.owner.close().catch(() => undefined)
      postgres.stop()
    },
  }
}
