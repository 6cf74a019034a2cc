import { statSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/free-port.ts"
import { atMost } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { PRODUCT } from "../harness/places.ts"
import { type Installation, newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { spreadOf } from "../harness/statistics.ts"
import { listCreativeFormats } from "../workload/agent-calls.ts"
import { importedLines } from "../workload/lines.ts"
import { seedCalls } from "../workload/seed.ts"

const MEGABYTES = { whole: 1_000, quick: 1_000, smallest: 10 }

export const start: Scenario = { name: "start", title: "Start: process start to first answer, database of 1 GB", run }

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  await installation.importAll(importedLines())
  seedCalls(installation.data, MEGABYTES[options.size])
  const times: number[] = []
  for (let round = 0; round < options.rounds * 2; round += 1) times.push(await timeToFirstAnswer(installation))
  const spread = spreadOf(times)
  const size = statSync(join(installation.data, "adbooth.db")).size / 1e9
  return {
    unit: "ms",
    figures: [{ contender: "Adbooth", spread }],
    goals: [atMost(150, "ms", spread.median, "process start to first answer")],
    notes: [`The file has ${size.toFixed(2)} GB. The first answer is a list_creative_formats call.`],
  }
}

/** Asks again and again from the moment the process is started; the first answer ends it. */
async function timeToFirstAnswer(installation: Installation): Promise<number> {
  const port = freePort()
  const { path, headers, body } = listCreativeFormats()
  const started = performance.now()
  const child = Bun.spawn([PRODUCT, "serve", "--port", String(port), "--data", installation.data], {
    stdout: "ignore",
    stderr: "ignore",
  })
  try {
    while (child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body }).catch(
        () => undefined,
      )
      if (answer?.ok) return performance.now() - started
      await Bun.sleep(1)
    }
    throw new Error("the product ended before it answered")
  } finally {
    child.kill("SIGTERM")
    await child.exited
  }
}
