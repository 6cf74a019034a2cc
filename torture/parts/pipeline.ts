import { join } from "node:path"
import { EVERY_ADDRESS, requestTo } from "../../test/trust/every-address.ts"
import { furnish, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch, workMsMax } from "../harness/part.ts"
import type { RawJob } from "../load/raw.ts"
import { type Probed, startProbing } from "../load/start-probing.ts"

const PROBE_MS_MAX = 250
const COUNTS = [1, 100, 10_000]

export const pipeline: Part = {
  name: "pipeline",
  promise: "however many requests a connection sends without waiting for answers, to any address, nobody else waits",
  async run({ pipelineSeconds, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    const ledger = new Ledger(booth)
    await using server = await serve(booth.data)
    // Doors are loaded when they are first needed.
    for (const path of ["/docs", "/app", "/"]) await (await fetch(server.url + path)).text()
    const problems: string[] = []
    const figures: string[] = []

    async function measured(name: string, jobs: readonly Omit<RawJob, "url">[]): Promise<void> {
      const probing = startProbing(server.url, server.pid)
      await Promise.all(jobs.map((job) => sendRaw({ url: server.url, ...job })))
      const { slowest, busiest, probes }: Probed = await probing.stop()
      figures.push(`${name}: ${probes.toLocaleString("en")} probes, ${Math.round(busiest)} ms (${Math.round(slowest)})`)
      if (busiest > workMsMax(judgeTiming))
        problems.push(`${name}: the server worked ${Math.round(busiest)} ms before an answer`)
      if (judgeTiming === 1 && slowest > PROBE_MS_MAX)
        problems.push(`${name}: a probe waited ${Math.round(slowest)} ms`)
    }

    const read = COUNTS.map((count) => ({ count, isRead: true }))
    for (const { count, isRead } of [...read, { count: Math.max(...COUNTS), isRead: false }]) {
      const name = `${count.toLocaleString("en")} requests ${isRead ? "" : "un"}read`
      await measured(name, [{ requests: EVERY_ADDRESS, count, isRead }])
    }
    const guide = { requests: [requestTo("/docs/buyers")], count: 10_000, seconds: pipelineSeconds, isRead: true }
    await measured(`two connections for ${pipelineSeconds} s`, [guide, guide])
    const again = await ledger.send(server.url, 5)
    if (again.status !== 200) problems.push(`a report was answered ${again.status} afterwards`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `1, 100 and 10,000 requests on one connection at once to each of ${EVERY_ADDRESS.length} addresses, answers read, and unread of the most; 10,000 at a time of a guide again and again`,
      figures: `a probe's longest wait, as processor time of the server (and by the clock): ${figures.join("; ")}`,
      problems,
    }
  },
}

/** In a process of its own, so that measuring does not wait for it. */
async function sendRaw(job: RawJob): Promise<void> {
  const child = Bun.spawn([process.execPath, "torture/load/raw.ts"], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: "ignore",
    stderr: "inherit",
  })
  if ((await child.exited) !== 0) throw new Error("the requests ended early")
}
