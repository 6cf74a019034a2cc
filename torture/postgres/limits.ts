import { newKey } from "../harness/booth.ts"
import type { Part } from "../harness/part.ts"
import { type Cluster, startCluster } from "./cluster.ts"

const LIMIT = 60
const WINDOW_MS = 60_000
const CLIENTS = 6

interface Admission {
  readonly from: number
  readonly to: number
}

export const limits: Part = {
  name: "postgres-limits",
  promise: "limits are exact over all servers, also while servers die",
  needs: "postgres",
  async run({ isShort, random, problem }) {
    await using cluster = await startCluster(3, { options: ["--limit-ingest", String(LIMIT)] })
    const key = await newKey(cluster.booth.place)
    const admitted = await admittedAtOnce(cluster, key, 2 * LIMIT)
    if (admitted !== LIMIT) problem(`${admitted} of ${2 * LIMIT} requests at once were admitted`)

    const endsAt = performance.now() + (isShort ? 8_000 : 150_000)
    const other = await newKey(cluster.booth.place)
    const admissions: Admission[] = []
    const clients = Array.from({ length: CLIENTS }, () => ask(cluster, other, admissions, endsAt))
    let kills = 0
    while (performance.now() < endsAt) {
      await Bun.sleep(500 + random.below(1_500))
      await cluster.replace(kills++ % cluster.servers.length)
    }
    await Promise.all(clients)
    const inWindow = mostInWindow(admissions)
    if (inWindow > LIMIT) problem(`${inWindow} requests were admitted within a minute`)
    if (inWindow < LIMIT / 2) problem(`only ${inWindow} requests were admitted while servers died`)
    return `${admitted} of ${2 * LIMIT} at once; ${kills} servers killed, ${inWindow} admitted within a minute`
  },
}

/** Sends so many requests at once, and returns how many were admitted. */
export async function admittedAtOnce(cluster: Cluster, key: string, count: number): Promise<number> {
  const statuses = await Promise.all(Array.from({ length: count }, () => report(cluster, key)))
  return statuses.filter((status) => status === 200).length
}

async function ask(cluster: Cluster, key: string, admissions: Admission[], endsAt: number): Promise<void> {
  while (performance.now() < endsAt) {
    const from = performance.now()
    if ((await report(cluster, key).catch(() => 0)) === 200) admissions.push({ from, to: performance.now() })
    await Bun.sleep(50)
  }
}

/** Each was admitted between its two moments, so this many surely were within one window. */
function mostInWindow(admissions: readonly Admission[]): number {
  const counts = admissions.map(
    ({ from }) => admissions.filter((other) => other.from >= from && other.to - from < WINDOW_MS).length,
  )
  return Math.max(0, ...counts)
}

async function report(cluster: Cluster, key: string): Promise<number> {
  const [package_id] = cluster.booth.packageIds
  const response = await fetch(`${cluster.url()}/api/ingest/delivery/metrics`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ items: [{ package_id, impressions: 5 }] }),
    signal: AbortSignal.timeout(15_000),
  })
  await response.text()
  return response.status
}
