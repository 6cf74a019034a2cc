import { atLeast, atMost } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import type { Running } from "../harness/process.ts"
import { cpuSecondsOf } from "../harness/processor-time.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Figure, Goal, Outcome, Scenario } from "../harness/scenario.ts"
import { serverContender } from "../harness/server-contender.ts"
import { makeAdministrator } from "../harness/sign-in.ts"
import { spreadOf } from "../harness/statistics.ts"
import { ITEMS_PER_REQUEST, sameLinesRequests } from "../workload/delivery.ts"
import { packageId, SELLER } from "../workload/lines.ts"
import { linesOfAYear, seedYear, tenthReport } from "../workload/year.ts"

// Five million reports are those of 500 lines, or of 5,000 in the last weeks.
const SIZES = {
  whole: { lines: 500, many: 5_000, days: 365, daysOfMany: 41 },
  quick: { lines: 500, many: 5_000, days: 90, daysOfMany: 9 },
  smallest: { lines: 500, many: 500, days: 2, daysOfMany: 2 },
}
const GROWN = "with the reports"
const EMPTY = "an empty history"
const TIMES = 20

export const year: Scenario = {
  name: "year",
  title: "A year of hourly reports: pages, and 500 items a request",
  run,
}

async function run(options: Options): Promise<Outcome> {
  const { lines, many, days, daysOfMany } = SIZES[options.size]
  await using stack = new AsyncDisposableStack()
  const grown = await installed(stack, lines, (data) => seedYear(data, days, days))
  const empty = await installed(stack, lines)
  const large = await installed(stack, many, (data) => seedYear(data, days, daysOfMany))
  const line = `/app/o/${SELLER}/campaigns/campaign-1/lines/${packageId(3)}`
  const pages = [
    { name: `Today with ${lines} lines`, at: grown, path: `/app/o/${SELLER}`, msMax: 30 },
    { name: `Today with ${many} lines`, at: large, path: `/app/o/${SELLER}`, msMax: 150 },
    { name: "history of a line", at: grown, path: line, msMax: 20 },
    { name: "its oldest page", at: grown, path: `${line}?before=${tenthReport(days)}_0_0_0`, msMax: 100 },
  ]
  const figures: Figure[] = []
  const goals: Goal[] = []
  for (const { name, at, path, msMax } of pages) {
    const ms = await processorMs(at, path, options.rounds)
    figures.push({ contender: name, spread: spreadOf(ms) })
    goals.push(atMost(msMax, "ms", spreadOf(ms).median, name))
  }
  const batches = await interleave([grown.contender(GROWN), empty.contender(EMPTY)], options)
  const slower = atLeast(0.8, batches, GROWN, EMPTY)
  return {
    unit: "ms",
    figures,
    goals: [...goals, { ...slower, promise: `500 items a request: ${slower.promise}` }],
    notes: ["Pages in milliseconds of the server's processor time."],
  }
}

type Installed = Awaited<ReturnType<typeof installed>>

async function installed(stack: AsyncDisposableStack, lines: number, seed?: (data: string) => void) {
  const installation = stack.use(newInstallation())
  await installation.importAll(linesOfAYear(lines))
  const key = await installation.ingestKey()
  const signIn = await makeAdministrator(installation)
  seed?.(installation.data)
  const server = stack.use(await installation.serve())
  const requests = (pass: number) => sameLinesRequests(key, pass)
  return {
    server,
    cookie: await signIn(server),
    contender(name: string) {
      return serverContender(name, server, { requests, connections: 8, worth: ITEMS_PER_REQUEST })
    },
  }
}

async function pageAt({ server, cookie }: { server: Running; cookie: string }, path: string): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: "manual" })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return text
}

async function processorMs(at: Installed, path: string, rounds: number): Promise<number[]> {
  const measured: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = cpuSecondsOf(at.server.pid)
    for (let time = 0; time < TIMES; time++) await pageAt(at, path)
    measured.push(((cpuSecondsOf(at.server.pid) - before) * 1_000) / TIMES)
  }
  // The first round is only for warming up.
  return measured.slice(1)
}
