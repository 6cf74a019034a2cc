import { join } from "node:path"
import { furnish, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch, workMsMax } from "../harness/part.ts"
import { startConnections } from "../load/start-connections.ts"
import { startProbing } from "../load/start-probing.ts"

const WAIT_MS_MAX = 250
const AT_A_TIME = 8
const CHUNKS = "1\r\n \r\n".repeat(100_000)
const METRICS = "/api/ingest/delivery/metrics"
const JSON_TYPES = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n"

export const chunks: Part = {
  name: "chunks",
  promise:
    "bodies in chunks of one byte, also with a valid key, are refused and hold up nobody else for more than 250 ms",
  async run({ connectionSeconds, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    const ledger = new Ledger(booth)
    await using server = await serve(booth.data)
    for (const path of ["/app/sign-in", "/"]) await (await fetch(server.url + path)).text()
    await ledger.send(server.url, 5)
    const port = Number(new URL(server.url).port)
    const kinds = [
      ["the agent", "/", JSON_TYPES, "411"],
      ["the sign-in form", "/app/sign-in", FORM_TYPE, "411"],
      ["a feed without a key", METRICS, JSON_TYPES, "401"],
      ["a feed with a wrong key", METRICS, `${JSON_TYPES}Authorization: Bearer abi_none\r\n`, "401,429"],
      ["nothing", "/nothing", "", "404"],
      // The last: what it sent is still being received afterwards.
      ["a feed with its key", METRICS, `${JSON_TYPES}Authorization: Bearer ${booth.ingestKey}\r\n`, "400,413,200,503"],
    ] as const
    const problems: string[] = []
    const figures: string[] = []
    for (const [name, path, headers, expected] of kinds) {
      const probing = startProbing(server.url, server.pid)
      const text = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`
      const job = { port, text, more: CHUNKS, atATime: AT_A_TIME, seconds: connectionSeconds }
      const { connections, statuses } = await startConnections(job)
      const { slowest, busiest, failed } = await probing.stop()
      const odd = Object.keys(statuses).filter((status) => !expected.split(",").includes(status))
      if (odd.length > 0) problems.push(`${name}: some were answered ${odd.join(", ")}`)
      if (connections === 0) problems.push(`${name}: there was no connection`)
      if (busiest > workMsMax(judgeTiming))
        problems.push(`${name}: the server worked ${Math.round(busiest)} ms before an answer`)
      if (judgeTiming === 1 && slowest > WAIT_MS_MAX) problems.push(`${name}: a probe waited ${Math.round(slowest)} ms`)
      if (failed > 0) problems.push(`${name}: ${failed} probes were reset`)
      figures.push(`${name}: ${connections.toLocaleString("en")}, ${Math.round(busiest)} ms (${Math.round(slowest)})`)
    }
    const again = await ledger.send(server.url, 5)
    if (again.status !== 200) problems.push(`a report was answered ${again.status} afterwards`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `${AT_A_TIME} connections at a time that send one-byte chunks without end, for ${connectionSeconds} s to each of ${kinds.length} addresses`,
      figures: `connections, and a probe's longest wait as processor time of the server (and by the clock): ${figures.join("; ")}`,
      problems,
    }
  },
}
