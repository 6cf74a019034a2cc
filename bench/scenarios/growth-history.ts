import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Contender, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, serverContender } from "../harness/server-contender.ts"
import { LINES } from "../workload/lines.ts"
import { seedHistory } from "../workload/seed.ts"
import { batches } from "./hot-paths.ts"

const REPORTS = { whole: 3_000_000, quick: 1_000_000, smallest: 10_000 }

export const growthHistory: Scenario = {
  name: "growth-history",
  title: "Growth: delivery, 500 items a request, with a long history",
  run,
}

async function run(options: Options): Promise<Outcome> {
  await using stack = new AsyncDisposableStack()
  const reports = REPORTS[options.size]
  const grown = await withHistory(`${reports.toLocaleString("en")} reports`, reports / LINES, stack)
  const empty = await withHistory("an empty database", 0, stack)
  const figures = await interleave([grown, empty], options)
  return { unit: batches.unit, figures, goals: [atLeast(0.8, figures, grown.name, empty.name)] }
}

async function withHistory(name: string, reportsPerLine: number, stack: AsyncDisposableStack): Promise<Contender> {
  const installation = stack.use(newInstallation())
  const load = await batches.fill(installation)
  if (reportsPerLine > 0) seedHistory(installation.data, reportsPerLine)
  const server = await installation.serve()
  const contender = stack.use(serverContender(name, server, load))
  batches.check(await askOnce(server, load.requests(0)[0]))
  return contender
}
