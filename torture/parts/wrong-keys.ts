import { join } from "node:path"
import { RATE_WINDOW_SECONDS } from "../../src/domain/limits.ts"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { eachOf } from "../harness/each-of.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { startProbing } from "../load/start-probing.ts"

const AT_A_TIME = 10
const WAIT_MS_MAX = 100
const QUIET_MS = 3_000
const BODY_BYTES = 1_000_000
const HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }

export const wrongKeys: Part = {
  name: "wrong-keys",
  promise: "wrong keys and anonymous callers with bodies of a megabyte, the worst to read: nobody else waits",
  async run({ wrongKeyBodies, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await using server = await serve(booth.data)
    const ledger = new Ledger(booth)
    const problems: string[] = []
    // What the machine makes everybody wait for anyway.
    const quiet = startProbing(server.url)
    await Bun.sleep(QUIET_MS)
    const before = await quiet.stop()
    const probe = startProbing(server.url)
    const statuses = new Map<number, number>()
    const bodies = worstBodies()
    const began = performance.now()
    await eachOf(
      Array.from({ length: wrongKeyBodies }, (_, i) => i),
      AT_A_TIME,
      async (i) => {
        const status = await post(server, bodies[i % bodies.length] ?? "", i)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      },
    )
    const isWithinOneWindow = performance.now() - began < RATE_WINDOW_SECONDS * 1_000
    const { slowest, probes } = await probe.stop()
    for (const status of statuses.keys()) {
      if (![200, 400, 401, 429].includes(status)) problems.push(`${statuses.get(status)} were answered ${status}`)
    }
    if (isWithinOneWindow && statuses.get(429) === undefined) problems.push("wrong keys were never limited")
    if (judgeTiming === 1 && slowest > WAIT_MS_MAX) problems.push(`/healthz waited ${Math.round(slowest)} ms`)
    // A right key passes whatever its address did.
    await ledger.send(server.url, 5)
    if (ledger.acceptedCount !== 5) problems.push("a report with a right key was not accepted")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    const counts = [...statuses].sort().map(([status, count]) => `${count.toLocaleString("en")} ${status}`)
    return {
      done: `${wrongKeyBodies.toLocaleString("en")} bodies of 1 MB (long numbers, deep, many keys, many small values), two of three with a wrong key, ${AT_A_TIME} at a time`,
      figures: `${counts.join(", ")}; the slowest of ${probes} probes of /healthz took ${Math.round(slowest)} ms, of ${before.probes} before that ${Math.round(before.slowest)} ms`,
      problems,
    }
  },
}

/** A wrong key at either door, or none at the agent's. */
async function post({ url }: Server, body: string, turn: number): Promise<number> {
  const path = turn % 3 === 0 ? "/api/ingest/delivery/metrics" : "/"
  const key: Record<string, string> = turn % 3 === 2 ? {} : { Authorization: "Bearer aba_wrong" }
  const sent = fetch(url + path, { method: "POST", headers: { ...HEADERS, ...key }, body })
  const response = await sent.catch(() => null)
  await response?.text().catch(() => "")
  // A caller that is still sending may find the connection closed before it sees the answer.
  return response?.status ?? 401
}

function worstBodies(): string[] {
  const filled = (unit: (i: number) => string, open: string, close: string) => {
    const units: string[] = []
    for (let size = 0; size < BODY_BYTES; size += units.at(-1)?.length ?? 0) units.push(`${unit(units.length)},`)
    return `${open}${units.join("").slice(0, -1)}${close}`
  }
  const contexts = [
    filled(() => "0.1234567890123456789", "[", "]"),
    filled(() => "1e400", "[", "]"),
    filled((i) => `"${i.toString(36)}":0`, "{", "}"),
    filled((i) => `{"${i.toString(36)}":1}`, "[", "]"),
    filled(() => "[]", "[", "]"),
    `${"[".repeat(BODY_BYTES / 2)}${"]".repeat(BODY_BYTES / 2)}`,
    `"${"\\n".repeat(BODY_BYTES / 2)}"`,
    "1".repeat(BODY_BYTES),
  ]
  return contexts.flatMap((value) => [
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_products","arguments":{"context":{"a":${value}}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_creative_formats","arguments":{"name_search":${value}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${value}}}`,
  ])
}
