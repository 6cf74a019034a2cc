import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Booth, furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { smallDisk } from "../harness/mount.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const DISK_MIB = 96
const LEFT_BYTES = 1_500_000
const BATCH = 200
const BATCHES_MAX = 400

export const diskFull: Part = {
  name: "disk-full",
  promise: "items are internal_error and none is stored; reads go on; with room again it goes on without a restart",
  async run() {
    using folder = scratch()
    const disk = join(folder.path, "disk")
    mkdirSync(disk)
    const mounted = smallDisk(disk, DISK_MIB)
    if (typeof mounted === "string") return { skipped: `A small disk needs the right to mount (${mounted}).` }
    using _ = mounted
    const booth = await furnish(join(disk, "data"), { lines: 1_000 })
    await using server = await serve(booth.data)
    return await fillAndFree(booth, server, join(disk, "filler"))
  },
}

async function fillAndFree(booth: Booth, server: Server, filler: string) {
  const ledger = new Ledger(booth)
  const problems: string[] = []
  await ledger.send(server.url, BATCH)
  fillUp(filler)
  const refused = await sendUntil(ledger, server, "internal_error")
  if (!refused) problems.push("the disk never got full")
  const alive = await fetch(`${server.url}/healthz`)
  const ready = await fetch(`${server.url}/readyz`)
  if (alive.status !== 200) problems.push(`/healthz answered ${alive.status} on a full disk`)
  if (ready.status !== 503) problems.push(`/readyz answered ${ready.status} on a full disk`)
  problems.push(...ledger.problems(booth.data))
  const lost = ledger.verdicts.get("internal_error") ?? 0

  rmSync(filler)
  const before = ledger.acceptedCount
  await ledger.send(server.url, BATCH)
  if (ledger.acceptedCount !== before + BATCH) problems.push("it did not go on when there was room again")
  if ((await fetch(`${server.url}/readyz`)).status !== 200) problems.push("/readyz did not recover")
  if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
  problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
  return {
    done: `a disk of ${DISK_MIB} MiB filled to the last page under load, then freed`,
    figures: `${ledger.acceptedCount} items accepted and there, ${lost} internal_error and not there, /readyz 503 while full, 200 after`,
    problems,
  }
}

function fillUp(filler: string): void {
  const { bavail, bsize } = statfsSync(join(filler, ".."))
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - LEFT_BYTES)))
}

async function sendUntil(ledger: Ledger, server: Server, verdict: string): Promise<boolean> {
  for (let i = 0; i < BATCHES_MAX && !ledger.verdicts.has(verdict); i++) await ledger.send(server.url, BATCH)
  return ledger.verdicts.has(verdict)
}
