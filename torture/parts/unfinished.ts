import { connect } from "node:net"
import { join } from "node:path"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { residentMib, watchMemory } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const BODIES = 400
const BODY_BYTES = 1_048_576
// What bodies may take at a time, and some for the rest.
const GROWTH_MIB_MAX = 256 + 64
// Until the first is refused, and then for as long as slow bodies are suffered while others are refused.
const LOOKS_MAX = 1_500
const LOOK_MS = 10
const WATCHED_MS = 2_500
// The bound knows paths: none of these is the health check.
const PATHS = ["/", "/?/healthz", "/api/ingest/delivery/metrics?x=/healthz"]

export const unfinished: Part = {
  name: "unfinished",
  promise: "large bodies that never end are held within the bound, whatever their address, and give their places back",
  async run() {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await using server = await serve(booth.data)
    const ledger = new Ledger(booth)
    const problems: string[] = []
    // So that what is loaded when it is first needed does not count.
    await ledger.send(server.url, 5)
    const before = residentMib(server.pid)
    const watch = watchMemory(server.pid, 50)
    const statuses = await sendUnfinished(server, booth.ingestKey)
    const grown = Math.max(...watch.stop()) - before
    if (grown > GROWTH_MIB_MAX) problems.push(`memory grew by ${Math.round(grown)} MiB`)
    if ((statuses.get("503") ?? 0) === 0) problems.push("none was refused")
    if ((await fetch(`${server.url}/healthz`)).status !== 200) problems.push("/healthz did not answer")
    const again = await ledger.send(server.url, 5)
    if (again.status !== 200) problems.push(`a report was answered ${again.status} afterwards`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    const counts = [...statuses].sort().map(([status, count]) => `${count} ${status}`)
    return {
      done: `${BODIES} bodies of 1 MiB that lack their last byte, at ${PATHS.length} addresses`,
      figures: `memory grew by at most ${Math.round(grown)} MiB; ${counts.join(", ")}, the rest was held until its callers went; then a report as ever`,
      problems,
    }
  },
}

/** Leaves them standing for a moment, and goes away. How many were answered what. */
async function sendUnfinished({ url }: Server, key: string): Promise<Map<string, number>> {
  const { hostname, port } = new URL(url)
  const statuses = new Map<string, number>()
  const part = Buffer.alloc(BODY_BYTES - 1, " ")
  const sockets = Array.from({ length: BODIES }, (_, i) => {
    const socket = connect(Number(port), hostname)
    const path = PATHS[i % PATHS.length] ?? "/"
    const bearer = path.startsWith("/api") ? `Authorization: Bearer ${key}\r\n` : ""
    socket.on("error", () => undefined)
    socket.once("data", (data) => {
      const status = data.toString("latin1", 9, 12)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${bearer}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`,
    )
    socket.write(part)
    return socket
  })
  for (let looks = 0; !statuses.has("503") && looks < LOOKS_MAX; looks++) await Bun.sleep(LOOK_MS)
  await Bun.sleep(WATCHED_MS)
  for (const socket of sockets) socket.destroy()
  // The server hears of it on the next turn of its loop; whoever is refused first tells it to look.
  await Bun.sleep(200)
  return statuses
}
