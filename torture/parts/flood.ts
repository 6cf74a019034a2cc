import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { furnish } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { acceptedAgain } from "../harness/load.ts"
import { grouped, type Part, rounded } from "../harness/part.ts"
import { type Server, serve } from "../harness/program.ts"
import { storedInFile } from "../harness/stored.ts"

const CONNECTIONS = 32
const SILENT_CONNECTIONS = 200
const MEMORY_MIB_MAX = 512
const LARGE_BYTES = 1_000_000
const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_products", arguments: { brief: "garden furniture in Germany ".repeat(100) } },
})

export const flood: Part = {
  name: "flood",
  promise:
    "strangers don't make memory grow without bound, a seller's reports come through, and afterwards all is well",
  async run({ folder, isShort, problem }) {
    const data = join(folder, "data")
    const booth = await furnish(["--data", data], 100)
    const options = ["--trust-proxy", "127.0.0.1", "--limit-ingest", "1000000"]
    await using server = await serve(booth.place, { options })
    const ledger = new Ledger(booth)
    const requests = isShort ? 6_000 : 200_000
    const silent = Array.from({ length: SILENT_CONNECTIONS }, () => unfinished(server))
    const seller = reportBeside(server, ledger)
    const statuses = await pour(server, requests)
    const { peakMib, slowestMs, failures } = await seller.stop()
    for (const socket of silent) socket.destroy()

    const odd = [...statuses.keys()].filter((status) => ![200, 401, 413, 429, 503].includes(status))
    if (odd.length > 0) problem(`strangers were answered ${odd.join(", ")}`)
    if (failures > 0) problem(`${failures} reports of a seller failed meanwhile`)
    if (peakMib > MEMORY_MIB_MAX) problem(`it took ${Math.round(peakMib)} MiB of memory`)
    if ((await acceptedAgain(ledger, server.url)) === null) problem("no report was accepted afterwards")
    if ((await server.end("SIGTERM")) !== 0) problem("it didn't stop cleanly")
    const { reports, problems } = storedInFile(data)
    for (const text of [...ledger.problems(reports), ...problems]) problem(text)
    const counts = [...statuses].map(([status, count]) => `${grouped(count)} ${status}`).join(", ")
    return `${counts}; slowest report ${rounded(slowestMs)}, at most ${Math.round(peakMib)} MiB of memory`
  },
}

/** A connection that never finishes its request. */
function unfinished({ url }: Server) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => undefined)
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n{")
  return socket
}

/** Sends requests of many strangers: calls from one address and from many, wrong keys, and large bodies with a wrong key. */
async function pour({ url }: Server, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const large = "x".repeat(LARGE_BYTES)
  let next = 0

  async function send(number: number): Promise<number> {
    const kind = number % 20
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "X-Forwarded-For": kind < 12 ? addressOf(number) : "11.0.0.1",
    }
    if (kind < 5)
      headers["Authorization"] = `Bearer ab${kind % 2 === 0 ? "a" : "i"}_${String(number).padStart(40, "0")}`
    const path = kind % 2 === 0 ? "/" : "/api/ingest/delivery/metrics"
    const response = await fetch(url + path, { method: "POST", headers, body: kind === 0 ? large : CALL })
    await response.arrayBuffer()
    return response.status
  }

  async function connection(): Promise<void> {
    while (next < count) {
      const status = await send(next++).catch(() => 0)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return statuses
}

const addressOf = (number: number): string => `12.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`

/** A seller who goes on reporting, and the server's memory meanwhile. */
function reportBeside(server: Server, ledger: Ledger) {
  const seen = { peakMib: 0, slowestMs: 0, failures: 0 }
  let isStopping = false

  async function report(): Promise<void> {
    while (!isStopping) {
      const began = performance.now()
      if ((await ledger.send(server.url, 5).catch(() => 0)) !== 5) seen.failures++
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - began)
      seen.peakMib = Math.max(seen.peakMib, residentMib(server.pid))
      await Bun.sleep(20)
    }
  }

  const running = report()
  return {
    async stop() {
      isStopping = true
      await running
      return seen
    },
  }
}

function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kib) / 1_024
}
