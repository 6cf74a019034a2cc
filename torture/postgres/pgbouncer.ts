import { readdirSync } from "node:fs"
import { join } from "node:path"
import { startPgbouncer } from "../../test/harness/pgbouncer.ts"
import { newKey, newOperator, SELLER_PAGE, signIn } from "../harness/booth.ts"
import { outcomesOf } from "../harness/ledger.ts"
import { startLoad, startProbe } from "../harness/load.ts"
import { grouped, type Part } from "../harness/part.ts"
import { tryCommand } from "../harness/program.ts"
import { startCluster } from "./cluster.ts"
import { admittedAtOnce } from "./limits.ts"

const LIMIT = 500
const AT_ONCE = 50
const BACKUP_MS_MAX = 60_000

export const pgbouncer: Part = {
  name: "postgres-pgbouncer",
  promise: "through PgBouncer in transaction mode, reports, pages, changes, limits and jobs work as without it",
  needs: "pgbouncer",
  async run({ folder, isShort, problem, late }) {
    await using stack = new AsyncDisposableStack()
    async function through(databaseUrl: string): Promise<string> {
      const bouncer = await startPgbouncer(databaseUrl)
      stack.defer(bouncer.stop)
      return bouncer.urlOf(new URL(databaseUrl).pathname.slice(1))
    }
    const backups = join(folder, "backups")
    const options = ["--limit-ingest", String(LIMIT), "--backup-every", "1m", "--backup-dir", backups]
    const cluster = stack.use(await startCluster(2, { options, through }))
    const { booth, ledger, servers, url } = cluster
    await newOperator(booth.place)
    const [server, other] = servers
    if (server === undefined || other === undefined) throw new Error("There aren't two servers.")
    const cookie = await signIn(server)

    const load = startLoad(ledger, { clients: 4, itemsMax: 40, seed: 1, url })
    // A session that one server began is known to the other.
    const page = startProbe(`${other.url}${SELLER_PAGE}`, undefined, { Cookie: cookie })
    const endsAt = performance.now() + (isShort ? 5_000 : 60_000)
    let changes = 0
    while (performance.now() < endsAt) {
      await newKey(booth.place).then(
        () => changes++,
        (cause) => late(String(cause)),
      )
    }
    await load.stop()
    const key = await newKey(booth.place)
    let admitted = 0
    for (let sent = 0; sent < LIMIT + 2 * AT_ONCE; sent += AT_ONCE)
      admitted += await admittedAtOnce(cluster, key, AT_ONCE)
    if (admitted !== LIMIT) problem(`${admitted} requests were admitted instead of ${LIMIT}`)
    const { wrong, slowestMs } = await page.stop()
    if (wrong.length > 0) late(`a page answered ${wrong.join(", ")}`)
    const refused = [...ledger.outcomes.keys()].filter((outcome) => outcome !== "accepted" && outcome !== "429")
    if (refused.length > 0) late(`reports were answered ${refused.join(", ")}`)
    if (!(await appears(backups))) problem("there was no scheduled backup")
    const { code, output } = await tryCommand(["doctor", ...booth.place])
    if (code !== 0) problem(`the doctor complains: ${output.slice(-300)}`)
    for (const text of await cluster.problems()) problem(text)
    const slowest = `slowest page ${Math.round(slowestMs)} ms`
    return `${outcomesOf(ledger)}, ${grouped(changes)} changes, ${admitted} admitted of one key, ${slowest}`
  },
}

async function appears(folder: string): Promise<boolean> {
  const end = performance.now() + BACKUP_MS_MAX
  while (performance.now() < end) {
    if (readdirSync(folder, { withFileTypes: true }).some((file) => file.name.includes(".db"))) return true
    await Bun.sleep(200)
  }
  return false
}
