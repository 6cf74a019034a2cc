import { readdirSync } from "node:fs"
import { join } from "node:path"
import { requestTo } from "../../test/trust/every-address.ts"
import { furnish, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { residentMib } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch, workMsMax } from "../harness/part.ts"
import { startConnections } from "../load/start-connections.ts"
import { startProbing } from "../load/start-probing.ts"

const WAIT_MS_MAX = 250
const GROWTH_MIB_MAX = 128
const REPORTS_EVERY_MS = 50
const AT_A_TIME = 150
// What the server keeps open for itself, whatever was poured onto it.
const DESCRIPTORS_MORE_MAX = 4

const FLOODS = [
  ["two requests for /healthz", requestTo("/healthz").repeat(2)],
  ["one for /healthz", requestTo("/healthz")],
  ["two for the sign-in page", requestTo("/app/sign-in").repeat(2)],
  ["two for a guide", requestTo("/docs/buyers").repeat(2)],
  ["two for nothing", requestTo("/nothing").repeat(2)],
] as const

export const connections: Part = {
  name: "connections",
  promise:
    "a flood of short connections holds up nobody else for more than 250 ms, resets no connection that is there, and leaves nothing behind",
  async run({ connectionSeconds, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    const ledger = new Ledger(booth)
    await using server = await serve(booth.data)
    for (const path of ["/docs/buyers", "/app/sign-in", "/"]) await (await fetch(server.url + path)).text()
    await ledger.send(server.url, 5)
    const port = Number(new URL(server.url).port)
    const descriptors = () => (process.platform === "linux" ? readdirSync(`/proc/${server.pid}/fd`).length : 0)
    const before = { mib: residentMib(server.pid), descriptors: descriptors() }
    const problems: string[] = []
    const figures: string[] = []
    for (const [name, text] of FLOODS) {
      const probing = startProbing(server.url, server.pid)
      const job = { port, text, atATime: AT_A_TIME, seconds: connectionSeconds }
      let isOver = false
      const flood = Promise.all([startConnections(job), startConnections(job)]).finally(() => {
        isOver = true
      })
      while (!isOver) {
        const { status } = await ledger.send(server.url, 1)
        if (status !== 200) problems.push(`${name}: a report was answered ${status}`)
        await Bun.sleep(REPORTS_EVERY_MS)
      }
      const poured = (await flood).reduce((sum, { connections: count }) => sum + count, 0)
      const { slowest, busiest, failed } = await probing.stop()
      const perSecond = Math.round(poured / connectionSeconds).toLocaleString("en")
      figures.push(`${name}: ${perSecond} a second, ${Math.round(busiest)} ms (${Math.round(slowest)})`)
      if (busiest > workMsMax(judgeTiming))
        problems.push(`${name}: the server worked ${Math.round(busiest)} ms before an answer`)
      if (judgeTiming === 1 && slowest > WAIT_MS_MAX) problems.push(`${name}: a probe waited ${Math.round(slowest)} ms`)
      if (failed > 0) problems.push(`${name}: ${failed} probes were reset`)
    }
    await Bun.sleep(1_000)
    const [grown, more] = [residentMib(server.pid) - before.mib, descriptors() - before.descriptors]
    if (grown > GROWTH_MIB_MAX) problems.push(`memory grew by ${Math.round(grown)} MiB`)
    if (more > DESCRIPTORS_MORE_MAX) problems.push(`${more} descriptors are left`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `short connections for ${connectionSeconds} s of each kind, ${2 * AT_A_TIME} at a time`,
      figures: `a probe's longest wait, as processor time of the server (and by the clock): ${figures.join("; ")}; afterwards ${Math.round(grown)} MiB and ${more} descriptors more`,
      problems,
    }
  },
}
