import { SQL } from "bun"
import { buildCommit } from "../../../bench/harness/against.ts"
import { BINARY } from "../../../test/binary.ts"
import type { Sizes } from "../../harness/part.ts"
import { seeded } from "../../harness/random.ts"
import { outdatedDaysProblems } from "../../harness/upkeep.ts"
import { bookProblems } from "../books.ts"
import { type Cluster, postgresPart, startCluster } from "../cluster.ts"
import { acceptedAgain, startLoad } from "../load.ts"
import { seconds } from "./database-kill.ts"
import { callAgent } from "./frozen.ts"
import { verdictsOf } from "./replica-kill.ts"

// The last one before migrations that once kept everybody waiting: the call log was written anew, and tables of every request were dropped.
const OLD_COMMIT = "5732b7c8"
const OLD_PROGRAM = process.env["ADBOOTH_TORTURE_OLD"]
const WAITS_MS_MAX = 2_000
const CALL_CHARACTERS = 4_000
const GROWN_AT_A_TIME = 100_000
// Servers of the new version, and the jobs that they begin with, are watched for so long.
const AFTERWARDS_MS = 5_000

const withOldProgram = postgresPart(
  "upgrade-under-load",
  "replicas of an earlier version are replaced one by one on a large database under load: nobody fails, nobody waits two seconds, nothing accepted is lost",
  async (sizes) => {
    await using opened = new AsyncDisposableStack()
    const program = OLD_PROGRAM ?? (await buildCommit(OLD_COMMIT, opened))
    const cluster = opened.use(await startCluster({ program }))
    const { ledger, replicas, proxy, database } = cluster
    await grow(cluster, sizes)
    const problems: string[] = []
    const load = startLoad(proxy.url, ledger, { random: seeded(sizes.seed), problems, clients: 4 })
    const calls = startCalling(cluster)
    await acceptedAgain(ledger, 10_000)
    load.slowestMs()
    const began = performance.now()
    for (const replica of replicas) await replica.replace(BINARY)
    const tookMs = performance.now() - began
    await Bun.sleep(AFTERWARDS_MS)
    await Promise.all([load.stop(), calls.stop()])
    const slowest = Math.max(load.slowestMs(), calls.slowestMs())
    if (sizes.judgeTiming === 1 && slowest > WAITS_MS_MAX) problems.push(`an answer took ${seconds(slowest)}`)
    if (ledger.verdicts.size > 1) problems.push(verdictsOf(ledger.verdicts))
    problems.push(...(await outdatedDaysProblems(() => areOutdatedAt(database.url))))
    problems.push(...calls.failed, ...(await bookProblems(cluster, database.url)))
    return {
      done: `${sizes.upgradeReports.toLocaleString("en")} reports and ${sizes.upgradeCallsMb} MB of call log; three replicas of ${OLD_PROGRAM ?? OLD_COMMIT} replaced one by one under load of 4 clients that report and one that asks for products`,
      figures: `all replaced after ${seconds(tookMs)}; ${ledger.acceptedCount.toLocaleString("en")} items accepted and there, ${verdictsOf(ledger.verdicts)}; ${calls.count()} calls, ${calls.failed.length} failed; slowest answer ${seconds(slowest)}`,
      problems,
    }
  },
)

export const upgradeUnderLoad: typeof withOldProgram = {
  ...withOldProgram,
  run: (sizes) =>
    OLD_PROGRAM === undefined && Bun.spawnSync(["git", "cat-file", "-e", `${OLD_COMMIT}^{commit}`]).exitCode !== 0
      ? Promise.resolve({ skipped: `There is no commit ${OLD_COMMIT} here to build the earlier version from.` })
      : withOldProgram.run(sizes),
}

async function areOutdatedAt(url: string): Promise<boolean> {
  await using client = new SQL(url, { max: 1 })
  return (await client.unsafe("SELECT 1 FROM outdated_days")).length > 0
}

/** Straight into the tables. The reports are older than those of the load, and none has a number as these have. */
async function grow({ database }: Cluster, { upgradeReports, upgradeCallsMb }: Sizes): Promise<void> {
  await using client = new SQL(database.url, { max: 1 })
  const [line] = await client.unsafe<{ id: string; lines: number }[]>(
    "SELECT min(id) AS id, count(*)::integer AS lines FROM package_line WHERE name LIKE 'Line %'",
  )
  const [first, lines] = [Number(line?.id), line?.lines ?? 1]
  const day = 1_704_067_200_000_000
  const source = "INSERT INTO delivery_source (kind, reference) VALUES ('cli', 'grown') RETURNING id"
  const [{ id } = { id: 0 }] = await client.unsafe<{ id: number }[]>(source)
  const asOf = (n: string) => `${day} + (${n})::bigint * 1000000`
  for (let from = 0; from < upgradeReports; from += GROWN_AT_A_TIME) {
    await client.unsafe(`INSERT INTO delivery_report (line_id, as_of, quantity, received_at, source_id, previous_as_of, previous_quantity)
      SELECT ${first} + n % ${lines}, ${asOf("n")}, n / ${lines} + 0.5, ${asOf("n")}, ${id},
        CASE WHEN n >= ${lines} THEN ${asOf(`n - ${lines}`)} END, CASE WHEN n >= ${lines} THEN n / ${lines} - 0.5 END
      FROM generate_series(${from}, ${Math.min(upgradeReports, from + GROWN_AT_A_TIME) - 1}) AS n`)
  }
  await client.unsafe(`INSERT INTO delivery_total (line_id, as_of, quantity, last_as_of, last_quantity)
    SELECT DISTINCT ON (line_id) line_id, as_of, quantity, as_of, quantity FROM delivery_report ORDER BY line_id, as_of DESC`)
  const texts = Math.ceil((upgradeCallsMb * 2 ** 20) / (CALL_CHARACTERS + 200))
  await client.unsafe(`WITH straw AS MATERIALIZED (SELECT string_agg(md5(n::text), '') AS text FROM generate_series(1, 400) n)
    INSERT INTO agent_call (at, address, method, tool, arguments, outcome, duration_micros)
    SELECT extract(epoch FROM now()) * 1000000 - 3600000000 + n, '203.0.113.7', 'tools/call', 'get_products',
      '{"brief":"' || substr(straw.text, 1 + (n::bigint * 7919 % 8000)::integer, ${CALL_CHARACTERS}) || '"}', 'completed', 900
    FROM straw, generate_series(1, ${texts}) n`)
  await client.unsafe("UPDATE agent_call_size SET (rows, bytes) = (SELECT count(*), sum(bytes) FROM agent_call)")
  // What was just written is no load of theirs.
  await client.unsafe("CHECKPOINT")
}

/** An agent that asks for products, one call after the other, until it is stopped. */
function startCalling({ proxy, booth }: Cluster) {
  const failed: string[] = []
  let [isOver, slowest, count] = [false, 0, 0]
  const calling = (async () => {
    for (; !isOver; count++) {
      const began = performance.now()
      const text = await callAgent(proxy.url, booth.agentKey).then((answer) => answer.text(), String)
      slowest = Math.max(slowest, performance.now() - began)
      if (!text.includes('"products"')) failed.push(`a call was answered ${text.slice(0, 200)}`)
      await Bun.sleep(20)
    }
  })()
  return {
    failed,
    count: () => count,
    slowestMs: () => slowest,
    async stop() {
      isOver = true
      await calling
    },
  }
}
