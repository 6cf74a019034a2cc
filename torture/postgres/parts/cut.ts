import { type Network, networkTo } from "../../../test/storage/postgres/network.ts"
import { must } from "../../harness/booth.ts"
import { Ledger } from "../../harness/ledger.ts"
import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { type Cluster, postgresPart, type Replica, startCluster } from "../cluster.ts"
import { ANSWERS_WITHIN_MS, acceptedAgain, startLoad } from "../load.ts"
import { seconds } from "./database-kill.ts"
import { verdictsOf } from "./replica-kill.ts"

export const cut = postgresPart(
  "cut",
  "a replica that loses its network to PostgreSQL without a word answers internal_error or 503 within 7 s and recovers; the others go on",
  async ({ frozenSeconds, seed, judgeTiming }) => {
    await using scene = await givenNetwork()
    const { cluster, network, lonely, others } = scene
    const { booth, ledger, database } = cluster
    const problems: string[] = []
    const random = seeded(seed)
    const lone = new Ledger(booth)
    // All report the same lines, so that what the lonely one had begun could be in the way of the others.
    const loadOn = ({ url }: Replica, of: Ledger) => startLoad(url, of, { clients: 4, random, problems })
    const loneLoad = loadOn(lonely, lone)
    const loads = others.map((replica) => loadOn(replica, ledger))
    await Promise.all([acceptedAgain(ledger, 5_000), acceptedAgain(lone, 5_000)])

    const before = ledger.acceptedCount
    network.fate = () => "vanish"
    const changeMs = await meanwhile(cluster, lonely, frozenSeconds, problems)
    const accepted = ledger.acceptedCount - before
    network.fate = () => "pass"
    const waited = await acceptedAgain(lone, 15_000)
    if (waited === null) problems.push("the replica accepted nothing for 15 s after its network was back")
    await Promise.all([loneLoad, ...loads].map((load) => load.stop()))

    const [slowestLone, slowestOthers] = [loneLoad.slowestMs(), Math.max(...loads.map((load) => load.slowestMs()))]
    const slowest = Math.max(slowestLone, slowestOthers)
    if (judgeTiming === 1 && slowest > ANSWERS_WITHIN_MS) problems.push(`an answer took ${seconds(slowest)}`)
    if (accepted === 0) problems.push("the others accepted nothing meanwhile")
    if (ledger.verdicts.size > 1) problems.push(`of the others ${verdictsOf(ledger.verdicts)}`)
    problems.push(...(await bookProblems(cluster, database.url)))
    return {
      done: `one of three replicas cut off from PostgreSQL for ${frozenSeconds} s, nothing passed on and nothing closed, all reporting the same lines`,
      figures: `the others accepted ${accepted.toLocaleString("en")} items meanwhile, ${verdictsOf(ledger.verdicts)}, slowest answer ${seconds(slowestOthers)}, a change ${seconds(changeMs)}; the one cut off: ${verdictsOf(lone.verdicts)}, slowest answer ${seconds(slowestLone)}, accepted again ${seconds(waited ?? 0)} after`,
      problems,
    }
  },
)

/** Three replicas, the first of which reaches the database through a network of its own. */
async function givenNetwork() {
  const opened = new AsyncDisposableStack()
  const networks: Network[] = []
  const urlOf = (place: number, { url, port }: Cluster["database"]) => {
    if (place > 0) return url
    const network = opened.use(networkTo("127.0.0.1", port))
    networks.push(network)
    return url.replace(`:${port}/`, `:${network.port}/`)
  }
  const cluster = opened.use(await startCluster({ urlOf }))
  const [[network], [lonely, ...others]] = [networks, cluster.replicas]
  if (network === undefined || lonely === undefined) throw new Error("there is no replica to cut off")
  return { cluster, network, lonely, others, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Somebody changes something while a replica is cut off: how long that took, which waits for nobody who is gone. */
async function meanwhile({ booth, env }: Cluster, { url }: Replica, forSeconds: number, problems: string[]) {
  const began = performance.now()
  await must(["key", "create", "--org", "acme-audio", "--label", "Meanwhile", "--data", booth.data], { env })
  const changeMs = performance.now() - began
  const { status } = await fetch(`${url}/readyz`)
  if (status !== 503) problems.push(`/readyz of the replica that was cut off answered ${status}`)
  await Bun.sleep(Math.max(0, forSeconds * 1_000 - (performance.now() - began)))
  return changeMs
}
