import { networkTo } from "../../../test/storage/postgres/network.ts"
import { must } from "../../harness/booth.ts"
import { Ledger } from "../../harness/ledger.ts"
import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { postgresPart, startCluster } from "../cluster.ts"
import { acceptedAgain, startLoad } from "../load.ts"
import { seconds } from "./database-kill.ts"
import { verdictsOf } from "./replica-kill.ts"

const ANSWERS_WITHIN_MS = 6_000

export const cut = postgresPart(
  "cut",
  "a replica that loses its network to PostgreSQL without a word answers internal_error or 503 within 6 s and recovers; the others go on",
  async ({ frozenSeconds, seed, judgeTiming }) => {
    await using opened = new AsyncDisposableStack()
    let network: ReturnType<typeof networkTo> | null = null
    const cluster = opened.use(
      await startCluster({
        urlOf(place, { url, port }) {
          if (place > 0) return url
          network ??= opened.use(networkTo("127.0.0.1", port))
          return url.replace(`:${port}/`, `:${network.port}/`)
        },
      }),
    )
    const { replicas, booth, env, database, ledger } = cluster
    const problems: string[] = []
    const random = seeded(seed)
    const [lonely, ...others] = replicas
    if (lonely === undefined || network === null) throw new Error("there is no replica to cut off")
    const cutting = network as ReturnType<typeof networkTo>
    const lone = new Ledger(booth)
    // Both report the same lines, so that what the lonely one had begun could be in the way of the others.
    const loads = [
      startLoad(lonely.url, lone, { clients: 4, random, problems }),
      ...others.map(({ url }) => startLoad(url, ledger, { clients: 4, random, problems })),
    ] as const
    await acceptedAgain(ledger, 5_000)
    for (const load of loads) load.slowestMs()
    const before = { ...Object.fromEntries(ledger.verdicts) }
    cutting.fate = () => "vanish"
    // Somebody changes something meanwhile: it waits for nobody who is gone.
    const began = performance.now()
    await must(["key", "create", "--org", "acme-audio", "--label", "Meanwhile", "--data", booth.data], { env })
    const changeMs = performance.now() - began
    await Bun.sleep(frozenSeconds * 1_000 - changeMs)
    const refused = (ledger.verdicts.get("internal_error") ?? 0) - (before["internal_error"] ?? 0)
    const whileCut = {
      others: ledger.acceptedCount - (before["accepted"] ?? 0),
      ready: (await fetch(`${lonely.url}/readyz`)).status,
    }
    if (whileCut.ready !== 503) problems.push(`/readyz of the replica that was cut off answered ${whileCut.ready}`)
    cutting.fate = () => "pass"
    const waited = await acceptedAgain(lone, 15_000)
    if (waited === null) problems.push("the replica accepted nothing for 15 s after its network was back")
    await Promise.all(loads.map((load) => load.stop()))
    const [slowestLone = 0, ...slowestOthers] = loads.map((load) => load.slowestMs())
    const slowest = Math.max(slowestLone, ...slowestOthers)
    if (judgeTiming === 1 && slowest > ANSWERS_WITHIN_MS) problems.push(`an answer took ${seconds(slowest)}`)
    if (whileCut.others === 0) problems.push("the others accepted nothing meanwhile")
    if (refused > 0) problems.push(`${refused} items of the others were internal_error`)
    problems.push(...(await bookProblems(cluster, database.url)))
    return {
      done: `one of three replicas cut off from PostgreSQL for ${frozenSeconds} s, nothing passed on and nothing closed, all reporting the same lines`,
      figures: `the others accepted ${whileCut.others.toLocaleString("en")} items meanwhile (slowest answer ${seconds(Math.max(...slowestOthers))}, a change ${seconds(changeMs)}), ${refused} internal_error; the one cut off: ${verdictsOf(lone.verdicts)}, slowest answer ${seconds(slowestLone)}, accepted again ${seconds(waited ?? 0)} after`,
      problems,
    }
  },
)
