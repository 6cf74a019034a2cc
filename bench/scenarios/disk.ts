import { join } from "node:path"
import { buildShim } from "../../torture/disk/build-shim.ts"
import { loopCommand } from "../contenders/start.ts"
import { atMost } from "../harness/goals.ts"
import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { runProgram } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Round, Scenario } from "../harness/scenario.ts"
import { withSideProbe } from "../harness/side-probe.ts"
import { spreadOf } from "../harness/statistics.ts"
import type { BenchRequest } from "../load/requests-file.ts"
import type { SideWaits } from "../load/side-probe.ts"
import { listCreativeFormats } from "../workload/agent-calls.ts"
import { singles } from "./hot-paths.ts"

const SYNC_MS = 20
// Everybody waits for a sync that is under way; with a checkpoint there are three in a row.
const WAIT_MS_MAX = 3 * SYNC_MS
const WAITING = 64
const WARM_UP_SECONDS = 0.5

/** A loop that does nothing but the same writes and syncs, with as many items in a transaction as there are reporters waiting. */
export const disk: Scenario = {
  name: "disk",
  title: `Slow disk: ${WAITING} reporters of 1 item, each sync ${SYNC_MS} ms slower`,
  run,
}

async function run(options: Options): Promise<Outcome> {
  using folder = temporaryFolder()
  const shim = buildShim(folder.path)
  if ("skipped" in shim) return { unit: "", figures: [], goals: [], notes: [`Not measured. ${shim.skipped}`] }
  const slow = { LD_PRELOAD: shim.path, ADBOOTH_DISK_SYNC_MS: String(SYNC_MS) }
  using installation = newInstallation()
  const load = await singles.fill(installation)
  await using server = await installation.serveIn(slow)
  const healthz: BenchRequest = { method: "GET", path: "/healthz", headers: {}, body: "" }
  const asked = { "/healthz": healthz, list_creative_formats: listCreativeFormats() }
  const loop = [...loopCommand("sqlite-delivery.ts", join(folder.path, "loop.db")), String(WAITING)]
  await driveOnce(server, load, 0, { seconds: Math.min(WARM_UP_SECONDS, options.secondsPerRound) })
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const waits: SideWaits[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    const probed = await withSideProbe(server, asked, () =>
      driveOnce(server, load, round, { seconds: options.secondsPerRound }),
    )
    waits.push(probed.waits)
    rates.ours.push(probed.result.requests / probed.result.seconds)
    const printed = await runProgram([...loop, String(options.secondsPerRound)], { environment: slow })
    rates.bare.push((JSON.parse(printed) as Round).perSecond)
  }
  const [ours, bare] = [spreadOf(rates.ours), spreadOf(rates.bare)]
  const ratio = ours.median / bare.median
  const p99 = (name: string) => spreadOf(waits.map((one) => one[name]?.p99 ?? 0)).median
  return {
    unit: "reports/s",
    figures: [
      { contender: "Adbooth", spread: ours },
      { contender: "the bare loop that syncs in COMMIT", spread: bare },
    ],
    goals: [
      { promise: "at least as many reports as the bare loop", measured: ratio.toFixed(2), met: ratio >= 1 },
      ...Object.keys(asked).map((name) => atMost(WAIT_MS_MAX, "ms", p99(name), `p99 of ${name} meanwhile`)),
    ],
    notes: [
      "The one who asks meanwhile is a process of its own, but on the same two cores as the server and its load.",
    ],
  }
}
