import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import type { Running } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import type { Load } from "../harness/server-contender.ts"
import { makeAdministrator } from "../harness/sign-in.ts"
import { spreadOf } from "../harness/statistics.ts"
import { batchRequests, ITEMS_PER_REQUEST, singleRequests } from "../workload/delivery.ts"
import { importedLines } from "../workload/lines.ts"
import { pageRequests } from "../workload/pages.ts"

const TIMES_MAX = 10

export const latency: Scenario = {
  name: "latency",
  title: "Latency: p99 of a 1-item delivery beside 500-item requests and pages",
  run,
}

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  await installation.importAll(importedLines())
  const key = await installation.ingestKey()
  const signIn = await makeAdministrator(installation)
  await using server = await installation.serve()
  const cookie = await signIn(server)
  const loads = {
    single: { requests: (pass: number) => singleRequests(key, pass), connections: 1, worth: 1 },
    batches: { requests: (pass: number) => batchRequests(key, pass), connections: 1, worth: ITEMS_PER_REQUEST },
    pages: { requests: () => pageRequests(cookie), connections: 1, worth: 1 },
  }
  const idle: number[] = []
  const beside: number[] = []
  let pass = 0
  for (let round = 0; round < options.rounds; round += 1) {
    idle.push(await alone(server, loads.single, pass++, options))
    beside.push(await together(server, loads, pass++, options))
  }
  return outcomeOf(idle, beside)
}

async function alone(server: Running, single: Load, pass: number, { secondsPerRound }: Options): Promise<number> {
  return (await driveOnce(server, single, pass, { seconds: secondsPerRound })).p99Ms
}

/** The others run a little longer on both sides, so that the measured requests never run alone. */
async function together(
  server: Running,
  { single, batches, pages }: { single: Load; batches: Load; pages: Load },
  pass: number,
  { secondsPerRound }: Options,
): Promise<number> {
  const others = [batches, pages].map((load) => driveOnce(server, load, pass, { seconds: secondsPerRound + 1 }))
  await Bun.sleep(500)
  const measured = await driveOnce(server, single, pass, { seconds: secondsPerRound })
  await Promise.all(others)
  return measured.p99Ms
}

function outcomeOf(idle: readonly number[], beside: readonly number[]): Outcome {
  const figures = [
    { contender: "Adbooth, beside other load", spread: spreadOf(beside) },
    { contender: "Adbooth, idle", spread: spreadOf(idle) },
  ]
  const times = spreadOf(beside).median / spreadOf(idle).median
  const goal = {
    promise: `under ${TIMES_MAX} x its idle p99`,
    measured: `${times.toFixed(1)} x`,
    met: times < TIMES_MAX,
  }
  return { unit: "p99 in ms", ratios: false, figures, goals: [goal] }
}
