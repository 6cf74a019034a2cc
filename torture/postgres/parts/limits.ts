import { type Booth, createKey, must } from "../../harness/booth.ts"
import { seeded } from "../../harness/random.ts"
import { type Cluster, postgresPart, startCluster } from "../cluster.ts"

const LIMIT = 60
const ASKED = 75
const KEYS = 5
const WINDOW_MS = 60_000
const LIMITED = { args: ["--limit-ingest", String(LIMIT)] }

export const limits = postgresPart(
  "limits",
  "60 requests a minute over all replicas together, exactly, also while replicas die; after a crash of PostgreSQL, alone or with all replicas, windows begin empty and everybody is admitted at once; a revoked key ends at once everywhere",
  async ({ limitSeconds, seed }) => {
    await using cluster = await startCluster({ serving: () => LIMITED })
    const { problems, admitted } = await exactOver(cluster)
    const random = seeded(seed)
    const { replicas, database } = cluster
    const killed = await neverMore(cluster, limitSeconds, async () => {
      const victim = random.pick(replicas)
      await victim.kill()
      await victim.start()
    })
    if (killed.inAWindow > LIMIT) problems.push(`${killed.inAWindow} requests were admitted within 60 s`)
    if (killed.admitted === 0) problems.push("nothing was admitted while servers died")
    const crash = async () => {
      await database.crash()
      await database.start()
    }
    const alone = await afterwards(cluster, crash)
    const together = await afterwards(cluster, async () => {
      await Promise.all(replicas.map((replica) => replica.kill()))
      await crash()
      await Promise.all(replicas.map((replica) => replica.start()))
    })
    for (const count of [...alone, ...together])
      if (count !== LIMIT) problems.push(`${count} of ${ASKED} requests were admitted before or after a crash`)
    return {
      done: `${ASKED} requests at once for each of ${KEYS} keys, spread over three replicas; a key revoked; then a key used for ${limitSeconds} s as often as admitted while a replica is killed every 2 s; then ${ASKED} requests at once before and after PostgreSQL is killed, alone and with all replicas`,
      figures: `${admitted.join(", ")} of ${ASKED} admitted; the revoked key 401 on every replica at once; while replicas died ${killed.admitted} admitted of ${killed.asked}, at most ${killed.inAWindow} within any 60 s; before and after PostgreSQL died alone ${alone.join(" and ")} of ${ASKED}, with all replicas ${together.join(" and ")}`,
      problems,
    }
  },
)

/** How many requests of one key are admitted before and at once after everything is up again. */
async function afterwards({ booth, env, proxy }: Cluster, crash: () => Promise<void>): Promise<number[]> {
  const { key } = await createKey(booth.data, { env })
  const allowed = async () => {
    const answers = Array.from({ length: ASKED }, () => report(proxy.url, booth, key))
    return (await Promise.all(answers)).filter((status) => status === 200).length
  }
  const before = await allowed()
  await crash()
  // Replicas notice at their next request that their connections are gone.
  while ((await report(proxy.url, booth, "").catch(() => 0)) !== 401) await Bun.sleep(20)
  return [before, await allowed()]
}

/** How many of each key's requests are admitted; then one of the keys is revoked. */
export async function exactOver({ booth, env, replicas, proxy }: Cluster) {
  const problems: string[] = []
  const keys = await Promise.all(Array.from({ length: KEYS }, () => createKey(booth.data, { env })))
  const answers: number[][] = []
  // One key after the other: this process also is the proxy, and sends no more than 256 requests at a time.
  for (const { key } of keys)
    answers.push(await Promise.all(Array.from({ length: ASKED }, () => report(proxy.url, booth, key))))
  const admitted = answers.map((statuses) => statuses.filter((status) => status === 200).length)
  for (const count of admitted) if (count !== LIMIT) problems.push(`${count} of ${ASKED} requests were admitted`)
  const others = answers.flat().filter((status) => status !== 200 && status !== 429)
  if (others.length > 0) problems.push(`some were answered ${[...new Set(others)].join(", ")}`)

  const { id, key } = await createKey(booth.data, { env })
  const everywhere = () => Promise.all(replicas.map(({ url }) => report(url, booth, key)))
  if ((await everywhere()).some((status) => status !== 200)) problems.push("a new key was not taken everywhere")
  await must(["key", "revoke", id, "--yes", "--data", booth.data], { env })
  const after = await everywhere()
  if (after.some((status) => status !== 401))
    problems.push(`after its revocation a key was answered ${after.join(", ")}`)
  return { problems, admitted }
}

interface Watched {
  readonly asked: number
  readonly admitted: number
  readonly inAWindow: number
}

/** Uses one key for a while, as often as it is let in, while servers die. */
async function neverMore(
  { booth, env, proxy }: Cluster,
  seconds: number,
  harm: (turn: number) => Promise<void>,
): Promise<Watched> {
  const { key } = await createKey(booth.data, { env })
  const passed: { from: number; to: number }[] = []
  let asked = 0
  let isOver = false

  async function ask(): Promise<void> {
    while (!isOver) {
      const from = performance.now()
      asked += 1
      if ((await report(proxy.url, booth, key).catch(() => 0)) === 200) passed.push({ from, to: performance.now() })
      await Bun.sleep(50)
    }
  }

  const clients = Promise.all(Array.from({ length: 6 }, ask))
  const end = performance.now() + seconds * 1_000
  for (let turn = 1; performance.now() < end; turn++) {
    await Bun.sleep(2_000)
    await harm(turn)
  }
  isOver = true
  await clients
  return { asked, admitted: passed.length, inAWindow: mostInAWindow(passed) }
}

/** Each was admitted at some moment between its two: how many surely were within one window. */
function mostInAWindow(passed: readonly { from: number; to: number }[]): number {
  const sorted = passed.toSorted((one, other) => one.from - other.from)
  const within = sorted.map(({ from }, i) => sorted.slice(i).filter(({ to }) => to - from < WINDOW_MS).length)
  return Math.max(0, ...within)
}

let reported = 0

/** One report; its status. Each is another total. */
export async function report(url: string, { packageIds }: Booth, key: string): Promise<number> {
  reported += 1
  const response = await fetch(`${url}/api/ingest/delivery/metrics`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    signal: AbortSignal.timeout(15_000),
    body: JSON.stringify({ items: [{ package_id: packageIds[reported % packageIds.length], impressions: reported }] }),
  })
  await response.text()
  return response.status
}
