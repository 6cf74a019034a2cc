import { cpSync } from "node:fs"
import { join } from "node:path"
import { buildShim } from "../disk/build-shim.ts"
import { makeDisk } from "../disk/disk-control.ts"
import { type Booth, furnish, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { startProbing } from "../load/start-probing.ts"

const SYNC_MS = [5, 20, 50, 500]
// Of a commit, the next one, and the copy of the log that may follow it; and what nobody waits for longer on any disk.
const SYNCS_MAX = 4
const WAIT_MS_MAX = 250
const CLIENTS = 64
const LINES = 100

export const slowDisk: Part = {
  name: "slow-disk",
  promise: "on a slow disk everything is answered and kept, and nobody waits for more than a few syncs",
  async run({ slowDiskMs, judgeTiming }) {
    using folder = scratch()
    const shim = buildShim(folder.path)
    if ("skipped" in shim) return shim
    const booth = await furnish(join(folder.path, "data"), { lines: LINES })
    const problems: string[] = []
    const figures: string[] = []
    for (const ms of SYNC_MS) {
      const place = join(folder.path, `slow-${ms}`)
      const { figure, found, slowest } = await reportOn(booth, place, shim.path, ms, slowDiskMs)
      figures.push(figure)
      if (judgeTiming === 1 && slowest > SYNCS_MAX * ms + WAIT_MS_MAX) found.push("a probe waited for more syncs")
      problems.push(...found.map((problem) => `${ms} ms a sync: ${problem}`))
    }
    return {
      done: `${CLIENTS} reporters for ${slowDiskMs} ms on disks whose syncs take ${SYNC_MS.join(", ")} ms, beside somebody who asks for /healthz`,
      figures: figures.join("; "),
      problems,
    }
  },
}

async function reportOn(booth: Booth, root: string, shim: string, ms: number, lastsMs: number) {
  cpSync(booth.data, join(root, "data"), { recursive: true })
  const here = { ...booth, data: join(root, "data") }
  const disk = makeDisk(`${root}.control`, { shim, root })
  const ledger = new Ledger(here)
  const found: string[] = []
  await using server = await serve(here.data, { env: disk.env, logs: join(root, "..") })
  disk.slowDown(ms)
  const probing = startProbing(server.url)
  // At least one answer for each, however slow the disk.
  const until = performance.now() + lastsMs
  const clients = Array.from({ length: CLIENTS }, async () => {
    do await ledger.send(server.url, 1)
    while (performance.now() < until)
  })
  const began = performance.now()
  await Promise.all(clients)
  const seconds = (performance.now() - began) / 1_000
  const { slowest } = await probing.stop()
  if ((await server.end("SIGTERM")) !== 0) found.push("it did not stop cleanly")
  const refused = [...ledger.verdicts.keys()].filter((verdict) => verdict !== "accepted")
  if (refused.length > 0) found.push(`answered ${refused.join(", ")}`)
  found.push(...ledger.problems(here.data), ...databaseProblems(here.data))
  const rate = Math.round(ledger.acceptedCount / seconds)
  return { figure: `${ms} ms a sync: ${rate} reports/s, slowest /healthz ${Math.round(slowest)} ms`, found, slowest }
}
