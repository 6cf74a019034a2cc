import { readFileSync } from "node:fs"
import { join } from "node:path"
import { startServer as startPostgres } from "../../test/harness/postgres.ts"
import { sendOnce } from "../harness/load.ts"
import { processorSeconds, processorSecondsOfFamily } from "../harness/processor-time.ts"
import { install } from "../harness/product.ts"
import { alternate, type Contender, figureLines, loopContender, serverContender } from "../harness/rounds.ts"
import { deliveries, ITEMS, linesFile, SELLER } from "../harness/workload.ts"
import { mustAccept } from "./hot-paths.ts"
import type { Scenario } from "./scenario.ts"

// A limit looks at what was admitted within the minute, so a single key would have a window larger than any real one.
const KEYS = 10

export const postgres: Scenario = {
  name: "postgres",
  title: "Delivery on PostgreSQL, 500 items a request, 8 connections, processor time of server and database",
  async run(program, options) {
    await using stack = new AsyncDisposableStack()
    const postgres = await startPostgres({ fsync: "on" })
    stack.defer(async () => {
      await postgres.owner.close()
      postgres.stop()
    })
    const [pid = ""] = readFileSync(join(postgres.folder, "data/postmaster.pid"), "utf8").split("\n")
    const ofDatabase = () => processorSecondsOfFamily(Number(pid))

    async function newDatabase(name: string) {
      await postgres.owner.unsafe(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`)
      const url = postgres.urlOf(name)
      const installation = stack.use(install(program, url))
      await installation.import(linesFile())
      return { url, installation }
    }

    const { installation } = await newDatabase("product")
    const requestsOf: ReturnType<typeof deliveries>[] = []
    for (let key = 0; key < KEYS; key++) requestsOf.push(deliveries(await installation.newKey(SELLER), ITEMS))
    const requests = (pass: number) => requestsOf.flatMap((requests) => requests(pass))
    const server = stack.use(await installation.serve())
    mustAccept(await sendOnce(server.url, requests(0)[0]), ITEMS)
    const both = () => processorSeconds(server.pid) + ofDatabase()
    const product = serverContender("Adbooth on PostgreSQL", server, { connections: 8, requests }, both)
    const loop = bareLoop((await newDatabase("loop")).url, ofDatabase)
    return figureLines(await alternate([product, loop], options))
  },
}

/** Its own time and the database's are one figure. */
function bareLoop(url: string, ofDatabase: () => number): Contender {
  const loop = loopContender("bare Bun.sql loop", [join(import.meta.dir, "../references/bare-postgres.ts"), url])
  return {
    name: loop.name,
    async round(seconds) {
      const before = ofDatabase()
      const { micros, perSecond } = await loop.round(seconds)
      const requests = perSecond * seconds
      return { perSecond, micros: micros + ((ofDatabase() - before) * 1_000_000) / requests }
    },
  }
}
