import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { requestTo } from "../../test/trust/every-address.ts"
import { createKey, furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { residentMib, watchMemory } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

// What may wait to be read, and what the runtime has not thrown away yet.
const GROWTH_MIB_MAX = 256 + 64
const REPORTS = 20
const REQUESTS = 20_000
const GUIDE = requestTo("/docs/buyers")

export const unread: Part = {
  name: "unread",
  promise: "answers that nobody reads take bounded memory, of a connection and in all, and keep nobody else out",
  async run({ unreadConnections }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    const { key } = await createKey(booth.data)
    const ledger = new Ledger(booth)
    await using server = await serve(booth.data)
    for (const path of ["/docs/buyers", "/docs/api"]) await (await fetch(server.url + path)).text()
    await ledger.send(server.url, 5)
    const before = residentMib(server.pid)
    const grown: number[] = []
    const problems: string[] = []
    const attacks = [
      { name: "one connection", count: 1, request: GUIDE.repeat(10) },
      { name: "four", count: 4, request: GUIDE.repeat(10) },
      { name: `${unreadConnections}`, count: unreadConnections, request: GUIDE },
      { name: `${unreadConnections} of a key`, count: unreadConnections, request: longReport(key) },
    ]
    for (const { name, count, request } of attacks) {
      const watch = watchMemory(server.pid, 20)
      const sockets = await askWithoutReading(server, count, request)
      for (let i = 0; i < REPORTS; i++) {
        const { status } = await ledger.send(server.url, 1)
        if (status !== 200) problems.push(`${name}: a report was answered ${status}`)
      }
      const more = Math.max(...watch.stop()) - before
      grown.push(Math.round(more))
      if (more > GROWTH_MIB_MAX) problems.push(`${name}: memory grew by ${Math.round(more)} MiB`)
      for (const socket of sockets) socket.destroy()
    }
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `${REQUESTS.toLocaleString("en")} requests for guides and reports on ${attacks.map(({ name }) => name).join(", ")} connections that read nothing`,
      figures: `memory grew by ${grown.join(", ")} MiB; ${REPORTS * attacks.length - problems.length} of ${REPORTS * attacks.length} reports of others were answered as ever`,
      problems,
    }
  },
}

/** 500 rejected items: the longest answer that a feed gives. */
function longReport(key: string): string {
  const body = JSON.stringify({ items: Array.from({ length: 500 }, () => ({ package_id: "none", impressions: 1 })) })
  const headers = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  return `POST /api/ingest/delivery/metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n\r\n${body}`
}

/** Sends on all of them in turn, a little at a time, until everything is sent or they are closed. */
async function askWithoutReading({ url }: Server, count: number, request: string): Promise<Socket[]> {
  const port = Number(new URL(url).port)
  const sockets: Socket[] = []
  for (let i = 0; i < count; i++) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.0.${2 + (i % 20)}` }).pause()
    socket.on("error", () => undefined)
    sockets.push(socket)
  }
  const requests = request.split("HTTP/1.1\r\n").length - 1
  for (let sent = 0; sent < REQUESTS; sent += requests * count) {
    for (const socket of sockets) if (socket.writable) socket.write(request)
    await (await fetch(`${url}/healthz`)).text()
  }
  return sockets
}
