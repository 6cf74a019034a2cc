import { readdirSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { system } from "../harness/mount.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const SPARE_HANDLES = 20
const CONNECTIONS = 50
const BATCH = 20
const TAKEN_WITHIN_MS = 30_000

export const handles: Part = {
  name: "handles",
  promise: "without file handles, connections that are open are served; silent ones are cut, and it goes on by itself",
  async run({ handlesSeconds }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 100 })
    const ledger = new Ledger(booth)
    const problems: string[] = []
    await using server = await serve(booth.data)
    await ledger.send(server.url, BATCH)
    const limit = readdirSync(`/proc/${server.pid}/fd`).length + SPARE_HANDLES
    const refused = system("prlimit", "--pid", String(server.pid), `--nofile=${limit}:${limit}`)
    if (refused !== null) return { skipped: `The limit of another process cannot be set here (${refused}).` }

    const silent = await openMany(server)
    const inUse = () => readdirSync(`/proc/${server.pid}/fd`).length
    const until = performance.now() + TAKEN_WITHIN_MS
    while (inUse() < limit && performance.now() < until) await Bun.sleep(10)
    const exhausted = inUse()
    if (exhausted < limit) problems.push(`only ${exhausted} of ${limit} handles were in use`)
    // The connection of the first batch is still open, and is used again.
    await ledger.send(server.url, BATCH)
    // The server cuts them by itself; a short run does not wait for that.
    if (handlesSeconds === 0) for (const socket of silent) socket.destroy()
    const recovered = await secondsUntilServed(server, handlesSeconds || 60)
    if (recovered === null) problems.push("a new connection was never served")
    for (const socket of silent) socket.destroy()
    await ledger.send(server.url, BATCH)
    if (ledger.acceptedCount !== 3 * BATCH) problems.push(`${ledger.acceptedCount} of ${3 * BATCH} items were accepted`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `${CONNECTIONS} connections that stop in the middle of their headers, on a server with ${SPARE_HANDLES} spare file handles`,
      figures: `an open connection was served throughout, a new one after ${recovered?.toFixed(1)} s, ${ledger.acceptedCount} items accepted and there`,
      problems,
    }
  },
}

async function openMany(server: Server): Promise<Socket[]> {
  const { hostname, port } = new URL(server.url)
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on("error", () => undefined)
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))))
  // The system hands a connection over only once something was said on it.
  for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHo")
  return sockets
}

/** How long a newcomer waits behind the silent ones. */
async function secondsUntilServed(server: Server, patienceSeconds: number): Promise<number | null> {
  const began = performance.now()
  const newcomer = fetch(`${server.url}/healthz`, {
    headers: { Connection: "close" },
    keepalive: false,
    signal: AbortSignal.timeout(patienceSeconds * 1_000),
  })
  const status = await newcomer.then((response) => response.status).catch(() => null)
  return status === 200 ? (performance.now() - began) / 1_000 : null
}
