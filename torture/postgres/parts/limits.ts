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
  "60 requests a minute over all replicas together, exactly, also while replicas or PostgreSQL die, or all of them at once; a revoked key ends at once everywhere",
  async ({ limitSeconds, seed }) => {
    await using cluster = await startCluster({ serving: () => LIMITED })
    const { problems, admitted } = await exactOver(cluster)
    const random = seeded(seed)
    const { replicas, database } = cluster
    const crashed = await neverMore(cluster, limitSeconds, async (turn) => {
      if (turn % 4 !== 0) return
      await database.crash()
      await database.start()
    })
    const killed = await neverMore(cluster, limitSeconds, async () => {
      const victim = random.pick(replicas)
      await victim.kill()
      await victim.start()
    })
    // All that anybody remembers is lost at once: nobody may be admitted for a minute then.
    const both = await neverMore(cluster, limitSeconds, async (turn) => {
      if (turn !== 4) return
      await Promise.all([database.crash(), ...replicas.map((replica) => replica.kill())])
      await database.start()
      await Promise.all(replicas.map((replica) => replica.start()))
    })
    for (const { inAWindow, admitted: some } of [killed, crashed, both]) {
      if (inAWindow > LIMIT) problems.push(`${inAWindow} requests were admitted within 60 s`)
      if (some === 0) problems.push("nothing was admitted while servers died")
    }
    const inWords = (one: Watched) =>
      `${one.admitted} admitted of ${one.asked}, at most ${one.inAWindow} within any 60 s`
    return {
      done: `${ASKED} requests at once for each of ${KEYS} keys, spread over three replicas; a key revoked; then a key used for ${limitSeconds} s as often as admitted while PostgreSQL is killed every 8 s, another one while a replica is every 2 s, and a third one while all of them are once`,
      figures: `${admitted.join(", ")} of ${ASKED} admitted; the revoked key 401 on every replica at once; while PostgreSQL died ${inWords(crashed)}; while replicas did ${inWords(killed)}; when all died at once ${inWords(both)}`,
      problems,
    }
  },
)

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
  await must(["key", "revoke", id, "--data", booth.data], { env })
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
