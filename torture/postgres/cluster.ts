import { join } from "node:path"
import {
  type CrashingOptions,
  type CrashingServer,
  crashingServer,
} from "../../test/storage/postgres/crashing-server.ts"
import { noPostgres } from "../../test/storage/postgres/server.ts"
import { type Booth, furnish, type ServeOptions, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { type Outcome, type Part, type Sizes, scratch } from "../harness/part.ts"
import { type LoadBalancer, startProxy } from "./proxy.ts"

const REPLICAS = 3
const LINES = 100

/** One of the servers behind the proxy. It has a new address after each start. */
export interface Replica {
  readonly url: string
  readonly isRunning: boolean
  kill(): Promise<void>
  start(): Promise<void>
  /** Nobody is sent to it any more; then it stops, and this executable is started instead. */
  replace(program: string): Promise<void>
}

/** A PostgreSQL, what is sold in it, and replicas of the executable behind a proxy. */
export interface Cluster extends AsyncDisposable {
  readonly database: CrashingServer
  readonly booth: Booth
  readonly ledger: Ledger
  readonly replicas: readonly Replica[]
  readonly proxy: LoadBalancer
  /** For other commands on the same database. */
  readonly env: Readonly<Record<string, string>>
}

export interface ClusterOptions extends CrashingOptions {
  /** The database URL of each replica; otherwise that of the server itself. */
  readonly urlOf?: (place: number, database: CrashingServer) => string
  /** How each replica is started. */
  readonly serving?: (place: number) => ServeOptions
  /** Another executable than the one that is built here. */
  readonly program?: string
}

export async function startCluster({ urlOf, serving, program, ...server }: ClusterOptions = {}): Promise<Cluster> {
  const old = program === undefined ? {} : { program }
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(scratch())
  const database = opened.use(await crashingServer({ durable: true, ...server }))
  const env = { ADBOOTH_DATABASE_URL: database.url }
  const booth = await furnish(join(folder.path, "data"), { lines: LINES, env, ...old })
  const replicas: Replica[] = []
  for (let place = 0; place < REPLICAS; place++) {
    const { env: own, ...options } = serving?.(place) ?? {}
    const url = urlOf?.(place, database) ?? database.url
    const replica = replicaOf(booth, { ...old, ...options, env: { ...own, ADBOOTH_DATABASE_URL: url } })
    opened.defer(() => replica.kill())
    await replica.start()
    replicas.push(replica)
  }
  const running = () => replicas.filter(({ isRunning }) => isRunning).map(({ url }) => url)
  const proxy = opened.use(startProxy(running))
  const all = opened.move()
  const ledger = new Ledger(booth)
  return { database, booth, ledger, replicas, proxy, env, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

function replicaOf({ data }: Booth, options: ServeOptions): Replica {
  let server: Server | null = null
  let url = ""
  const start = async (program = options.program) => {
    server = await serve(data, program === undefined ? options : { ...options, program })
    url = server.url
  }
  return {
    get url() {
      return url
    },
    get isRunning() {
      return server !== null
    },
    async kill() {
      const killed = server
      server = null
      await killed?.end("SIGKILL")
    },
    start: () => start(),
    async replace(program) {
      const replaced = server
      server = null
      await Bun.sleep(100)
      await replaced?.end("SIGTERM")
      await start(program)
    },
  }
}

/** A part that needs a PostgreSQL: it says so where there is none. */
export function postgresPart(name: string, promise: string, run: (sizes: Sizes) => Promise<Outcome>): Part {
  return { name, promise, run: async (sizes) => (noPostgres === null ? await run(sizes) : { skipped: noPostgres }) }
}
