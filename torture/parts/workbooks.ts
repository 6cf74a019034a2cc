import { join } from "node:path"
import { withFarCell } from "../../test/doors/web/far-cell.ts"
import { furnish, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { watchMemory } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch, workMsMax } from "../harness/part.ts"
import { makeOperator, signIn } from "../harness/visitor.ts"
import { startProbing } from "../load/start-probing.ts"

const PASSWORD = "a password of some length"
const AT_A_TIME = 40
const WAIT_MS_MAX = 250
// A server without any file has about 100; a workbook is given up at 512 more.
const MEMORY_MIB_MAX = 700
const FILES = "/api/ingest/files"

export const workbooks: Part = {
  name: "workbooks",
  promise:
    "workbooks of a kilobyte with a cell far outside of any table, many at once, are refused; memory is bounded, and nobody else waits more than 250 ms",
  async run({ judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await makeOperator(booth.data, PASSWORD)
    const ledger = new Ledger(booth)
    await using server = await serve(booth.data)
    const cookie = await signIn(server, PASSWORD)
    const headers = { Authorization: `Bearer ${booth.ingestKey}`, "Content-Type": "application/octet-stream" }
    const byKey = (bytes: Uint8Array<ArrayBuffer>) =>
      fetch(server.url + FILES, { method: "POST", headers, body: new Blob([bytes]) })
    const bySession = (bytes: Uint8Array<ArrayBuffer>) => {
      const body = new FormData()
      body.set("kind", "delivery")
      body.set("file", new File([bytes], "far.xlsx"))
      const sent = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" }
      return fetch(`${server.url}/app/o/acme-audio/upload`, { method: "POST", headers: sent, body, redirect: "manual" })
    }
    // The second hides its address from whoever only looks for it.
    const kinds = [
      ["with a key", byKey, "XFD1048576"],
      ["with a session", bySession, "XFD1048576"],
      ["with a key, hidden", byKey, "&#88;FD&#49;048576"],
    ] as const
    await ledger.send(server.url, 5)
    const problems: string[] = []
    const figures: string[] = []
    for (const [name, send, address] of kinds) {
      const probing = startProbing(server.url, server.pid)
      const watch = watchMemory(server.pid, 20)
      const workbook = withFarCell(address)
      const answers = await Promise.all(Array.from({ length: AT_A_TIME }, () => send(workbook)))
      const statuses = new Set(answers.map(({ status }) => status))
      await Promise.all(answers.map((answer) => answer.text()))
      const { slowest, busiest, failed } = await probing.stop()
      const memory = Math.max(...watch.stop())
      if ([...statuses].some((status) => status !== 422)) problems.push(`${name}: answered ${[...statuses].join(", ")}`)
      if (memory > MEMORY_MIB_MAX) problems.push(`${name}: ${Math.round(memory)} MiB of memory`)
      if (busiest > workMsMax(judgeTiming))
        problems.push(`${name}: the server worked ${Math.round(busiest)} ms before an answer`)
      if (judgeTiming === 1 && slowest > WAIT_MS_MAX) problems.push(`${name}: a probe waited ${Math.round(slowest)} ms`)
      if (failed > 0) problems.push(`${name}: ${failed} probes were reset`)
      figures.push(`${name}: ${Math.round(memory)} MiB, ${Math.round(busiest)} ms (${Math.round(slowest)})`)
    }
    const again = await ledger.send(server.url, 5)
    if (again.status !== 200) problems.push(`a report was answered ${again.status} afterwards`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `${AT_A_TIME} workbooks of ${withFarCell("XFD1048576").length} bytes at once, in ${kinds.length} ways`,
      figures: `most memory, and a probe's longest wait as processor time of the server (and by the clock): ${figures.join("; ")}`,
      problems,
    }
  },
}
