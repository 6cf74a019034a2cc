import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { adbooth } from "../../test/binary.ts"
import { buildShim } from "../disk/build-shim.ts"
import { makeDisk } from "../disk/disk-control.ts"
import { keepForReplay } from "../disk/keep-for-replay.ts"
import { chooseCuts, makeCut, record, type Scenario } from "../disk/recording.ts"
import { type Failures, failingSync } from "../disk/scenarios/failing-sync.ts"
import type { Furnished } from "../disk/scenarios/load.ts"
import { type Booth, furnish, serve } from "../harness/booth.ts"
import { eachOf } from "../harness/each-of.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { seeded } from "../harness/random.ts"

const LINES = 600
const CUTS = 8
const UNREADABLE_MS = 300

export const failingDisk: Part = {
  name: "failing-disk",
  promise:
    "after a sync that fails, on a disk that fills before the sync, and with reads that fail, nothing is answered accepted that a power cut would lose; it goes on when the disk does",
  async run({ failedSyncs, seed }) {
    using folder = scratch()
    const shim = buildShim(folder.path)
    if ("skipped" in shim) return shim
    const booth = await furnish(join(folder.path, "data"), { lines: LINES })
    const furnished = { booth, password: "" }
    const failures: Failures = {
      accepted: 0,
      refused: 0,
      failedSyncs: 0,
      restarts: 0,
      slowestRecoveryMs: 0,
      problems: [],
    }
    const cuts = await failAndCut({
      folder: folder.path,
      shim: shim.path,
      furnished,
      failures,
      count: failedSyncs,
      seed,
    })
    const reads = await failReads(folder.path, shim.path, booth)
    const { accepted, refused, restarts, slowestRecoveryMs, problems } = failures
    return {
      done: `${failedSyncs} runs in which a sync fails under load, with EIO or because the disk is full, then ${cuts} power cuts; reads that fail for ${UNREADABLE_MS} ms`,
      figures: `${accepted.toLocaleString("en")} items accepted and there after each cut, ${refused.toLocaleString("en")} refused; accepted again within ${Math.round(slowestRecoveryMs)} ms, ${restarts} servers ended and were started again; ${reads.failed} reads failed`,
      problems: [...problems, ...reads.problems],
    }
  },
}

interface Failing {
  readonly folder: string
  readonly shim: string
  readonly furnished: Furnished
  readonly failures: Failures
  readonly count: number
  readonly seed: number
}

async function failAndCut({ folder, shim, furnished, failures, count, seed }: Failing): Promise<number> {
  const random = seeded(seed)
  let cuts = 0
  for (let round = 0; round < count; round++) {
    const scenario: Scenario = failingSync(furnished, round % 2 === 0 ? "EIO" : "ENOSPC", failures)
    const place = join(folder, `failing-${round}`)
    const recording = await record(scenario, place, { shim, seed: random.below(2 ** 31) })
    await eachOf(chooseCuts(recording, CUTS, random.below(2 ** 31), "posix"), 2, async (cut) => {
      const left = join(place, `left-${cuts++}`)
      makeCut(recording, cut, left)
      const problems = await recording.check(left, cut.position)
      const kept = problems.length === 0 ? "" : keepForReplay(recording, cut, place)
      failures.problems.push(...problems.map((problem) => `${scenario.name}, ${kept}: ${problem}`))
      rmSync(left, { recursive: true, force: true })
    })
    rmSync(place, { recursive: true, force: true })
  }
  return cuts
}

/** Reads of the database fail for a while: the server lives on, and a command says what is wrong. */
async function failReads(folder: string, shim: string, booth: Booth) {
  const root = booth.data
  const logs = join(folder, "logs")
  mkdirSync(logs)
  const disk = makeDisk(join(folder, "control"), { shim, root })
  const ledger = new Ledger(booth)
  const problems: string[] = []
  await using server = await serve(booth.data, { env: disk.env, logs })
  await ledger.send(server.url, LINES / 2)
  disk.failReads("EIO")
  const until = performance.now() + UNREADABLE_MS
  do await ledger.send(server.url, LINES / 2)
  while (performance.now() < until)
  const alive = await fetch(`${server.url}/healthz`)
  if (alive.status !== 200) problems.push(`/healthz answers ${alive.status} while reads fail`)
  const command = await adbooth(["line", "list", "--data", booth.data], { env: disk.env })
  if (command.code !== 1 || /\n\s+at /.test(command.err))
    problems.push(`a command ends with ${command.code}: ${command.err}`)
  disk.failReads(null)
  const before = ledger.acceptedCount
  await ledger.send(server.url, LINES / 2)
  if (ledger.acceptedCount !== before + LINES / 2) problems.push("it does not go on when reads work again")
  if ((await server.end("SIGTERM")) !== 0) problems.push("it does not stop cleanly after failed reads")
  problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
  return { failed: disk.seen().failedReads, problems }
}
