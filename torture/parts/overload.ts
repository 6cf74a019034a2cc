import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { residentMib } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

// More than are let in at a time.
const SLOW = 2_400
const MEMORY_MIB_MAX = 512
const STALLED =
  "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 90000\r\n\r\n{"

export const overload: Part = {
  name: "overload",
  promise:
    "beyond what it takes at a time it answers 503 with Retry-After, stays alive, gets rid of slow bodies, and goes on",
  async run() {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await using server = await serve(booth.data)
    const ledger = new Ledger(booth)
    const problems: string[] = []
    const slow = await stall(server, SLOW)
    if (slow.length < SLOW)
      return { skipped: `Only ${slow.length} of ${SLOW} connections can be opened here (ulimit -n).` }
    const refused = await ledger.send(server.url, 5)
    const retryAfter = refused.headers.get("Retry-After")
    if (refused.status !== 503 || retryAfter === null) problems.push(`the one too many was answered ${refused.status}`)
    if ((await fetch(`${server.url}/healthz`)).status !== 200) problems.push("/healthz did not answer")
    const memory = residentMib(server.pid)
    if (memory > MEMORY_MIB_MAX) problems.push(`memory went up to ${Math.round(memory)} MiB`)
    const seconds = await secondsUntilAccepted(server, ledger)
    if (seconds === null) problems.push("slow bodies kept others out for 10 s")
    for (const socket of slow) socket.destroy()
    const before = ledger.acceptedCount
    await ledger.send(server.url, 5)
    if (ledger.acceptedCount !== before + 5) problems.push("it did not go on")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `${SLOW.toLocaleString("en")} requests at a time whose bodies do not come`,
      figures: `503 with Retry-After ${retryAfter}, /healthz 200, ${Math.round(memory)} MiB; a report was accepted ${seconds?.toFixed(1)} s later, the slow ones still trying`,
      problems,
    }
  },
}

/** Requests that are let in and then say nothing more. Resolves once the server has seen them all. */
async function stall({ url }: Server, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  let refusals = 0
  await Promise.all(
    sockets.map((socket) => {
      socket.on("data", () => refusals++)
      return new Promise<void>((resolve) => {
        socket.on("error", () => resolve())
        socket.once("connect", () => socket.write(STALLED, () => resolve()))
      })
    }),
  )
  // Those beyond the bound are answered at once.
  for (let looks = 0; refusals === 0 && looks < 200; looks++) await Bun.sleep(10)
  return sockets.filter((socket) => !socket.destroyed)
}

async function secondsUntilAccepted(server: Server, ledger: Ledger): Promise<number | null> {
  const began = performance.now()
  while (performance.now() - began < 10_000) {
    if ((await ledger.send(server.url, 5)).status === 200) return (performance.now() - began) / 1_000
    await Bun.sleep(50)
  }
  return null
}
