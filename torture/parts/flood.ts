import { join } from "node:path"
import { mint } from "../../src/domain/keys/api-key.ts"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { mean, quarterOf, residentMib, watchMemory } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { startPouring } from "../load/start-pouring.ts"

const CONNECTIONS = 32
const P99_MS_MAX = 100
const MEMORY_MIB_MAX = 512
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
// One proxy on this machine hands on all the addresses; each limit is as it is without settings.
const ARGS = ["--trust-proxy", "127.0.0.1", "--limit-agent-anonymous", "30"]

export const flood: Part = {
  name: "flood",
  promise: "memory stays bounded, and a keyed caller is served with a 99th percentile under 100 ms",
  async run({ floodAddresses, floodKeys, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 100 })
    await using server = await serve(booth.data, { args: ARGS })
    const before = residentMib(server.pid)
    const watch = watchMemory(server.pid, 100)
    const addresses = startPouring({
      url: server.url,
      wish: { kind: "addresses", ingestKey: "", agentKey: "", cookie: "", packageIds: [] },
      connections: CONNECTIONS,
      requests: floodAddresses,
    })
    const over = new AbortController()
    const keyed = keyedCaller(server, new Ledger(booth), over.signal)
    const refused = await wrongKeys(server, floodKeys)
    const poured = await addresses
    over.abort()
    const { p99, sent, problems } = await keyed
    const memory = watch.stop()
    const peak = Math.max(...memory)
    const { 200: admitted = 0, 429: limited = 0, ...others } = poured.statuses
    if (Object.keys(others).length > 0) problems.push(`anonymous calls were answered ${JSON.stringify(others)}`)
    if (refused !== floodKeys) problems.push(`${floodKeys - refused} wrong keys were answered neither 401 nor 429`)
    if (judgeTiming === 1 && p99 > P99_MS_MAX)
      problems.push(`the keyed caller's 99th percentile was ${p99.toFixed(1)} ms`)
    if (peak > MEMORY_MIB_MAX) problems.push(`memory went up to ${Math.round(peak)} MiB`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...databaseProblems(booth.data))
    const quarters = [0, 1, 2, 3].map((quarter) => Math.round(mean(quarterOf(memory, quarter))))
    return {
      done: `${floodAddresses.toLocaleString("en")} anonymous addresses at ${Math.round(poured.answered / poured.seconds)} calls/s and ${floodKeys.toLocaleString("en")} wrong keys`,
      figures: `${admitted.toLocaleString("en")} admitted, ${limited.toLocaleString("en")} 429 (beyond 100,000 callers a minute newcomers share windows); keyed caller: ${sent} requests, 99th percentile ${p99.toFixed(1)} ms; memory ${Math.round(before)} MiB before, by quarter ${quarters.join(", ")} MiB, peak ${Math.round(peak)} MiB`,
      problems,
    }
  },
}

/** A feed that goes on reporting through the flood. */
async function keyedCaller(server: Server, ledger: Ledger, over: AbortSignal) {
  const latencies: number[] = []
  while (!over.aborted) {
    const began = performance.now()
    await ledger.send(server.url, 5)
    latencies.push(performance.now() - began)
    await Bun.sleep(10)
  }
  latencies.sort((a, b) => a - b)
  const sent = latencies.length
  const problems =
    ledger.acceptedCount === sent * 5 ? [] : [`only ${ledger.acceptedCount} of ${sent * 5} items were accepted`]
  return { p99: latencies[Math.floor(sent * 0.99)] ?? 0, sent, problems }
}

/** Keys that look right and are not, at either door. How many were refused: the first of each minute as wrong, the others as too many. */
async function wrongKeys({ url }: Server, count: number): Promise<number> {
  let refused = 0
  for (let i = 0; i < count; i++) {
    const isAgent = i % 2 === 0
    const key = mint(isAgent ? "agent" : "ingest", random)
    const { status, body } = await fetch(url + (isAgent ? "/" : "/api/ingest/delivery/metrics"), {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    await body?.cancel()
    if (status === 401 || status === 429) refused++
  }
  return refused
}
