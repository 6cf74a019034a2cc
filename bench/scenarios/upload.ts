import { startProbe } from "../harness/probe.ts"
import { processorSeconds } from "../harness/processor-time.ts"
import { install } from "../harness/product.ts"
import { spreadOf } from "../harness/rounds.ts"
import { linesFile, packageId, SELLER } from "../harness/workload.ts"
import type { Scenario } from "./scenario.ts"

const LINES = 500
const HOUR_MS = 3_600_000
const START = Date.parse("2026-02-01T00:00:00Z")

export const upload: Scenario = {
  name: "upload",
  title: "Upload of a file with 5,000 rows",
  async run(program, { isSmallest, rounds }) {
    using installation = install(program)
    await installation.import(linesFile(LINES + 1))
    const key = await installation.newKey(SELLER)
    await using server = await installation.serve()
    const rows = isSmallest ? 500 : 5_000
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/csv" }
    const wallMs: number[] = []
    const workMs: number[] = []
    // Its line isn't in the file.
    const probe = startProbe(server.url, key, packageId(LINES))
    for (let round = 0; round < rounds; round++) {
      const before = processorSeconds(server.pid)
      const began = performance.now()
      const body = fileOf(rows, round)
      const answer = await fetch(`${server.url}/api/ingest/files?name=totals-${round}.csv`, {
        method: "POST",
        headers,
        body,
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`The file was answered with ${answer.status}: ${text.slice(0, 300)}`)
      wallMs.push(performance.now() - began)
      workMs.push((processorSeconds(server.pid) - before) * 1_000)
    }
    const waits = await probe.stop()
    return [
      `${rows} rows in ${Math.round(spreadOf(wallMs).median)} ms, of them ${Math.round(spreadOf(workMs).median)} ms of processor time`,
      `meanwhile a report waited ${Math.round(waits.reportMs)} ms at most, /healthz ${Math.round(waits.healthMs)} ms`,
    ]
  },
}

/** Totals of all lines, hour after hour. Each file goes on where the one before ended. */
function fileOf(rows: number, round: number): string {
  const hours = rows / LINES
  const lines = Array.from({ length: rows }, (_, row) => {
    const hour = round * hours + Math.floor(row / LINES)
    return `${packageId(row % LINES)},${hour + 1},${new Date(START + hour * HOUR_MS).toISOString()}`
  })
  return ["package_id,impressions,as_of", ...lines, ""].join("\n")
}
