// npm run bench [-- OPTIONS]: the product beside its references, in one run, on this machine; bench/results.md keeps it.
//
//   --quick           fewer and shorter rounds, less data: under three minutes
//   --smallest        a moment of every scenario: shows that they work, and measures nothing
//   --only NAME       only scenarios whose name contains NAME
//   --against COMMIT  builds that commit and lets it take turns with this one: what programs ask for all day, by processor time
import { join } from "node:path"
import { compareWith } from "./harness/against.ts"
import { describeMachine } from "./harness/machine.ts"
import { readOptions } from "./harness/options.ts"
import { BENCH } from "./harness/places.ts"
import { buildProduct } from "./harness/product.ts"
import { type Finished, report } from "./harness/report.ts"
import { scenarios } from "./scenarios/index.ts"

const options = readOptions(process.argv.slice(2))
const chosen = scenarios.filter(({ name }) => name.includes(options.only ?? ""))
if (chosen.length === 0) {
  console.error(`No scenario is named ${options.only}. There are: ${scenarios.map(({ name }) => name).join(", ")}`)
  process.exit(2)
}

if (!chosen.every(({ needsNoBuild }) => needsNoBuild)) await buildProduct()
if (options.against !== undefined) {
  console.log(await compareWith(options.against, options))
  process.exit(0)
}

const started = new Date()
const finished: Finished[] = []
for (const scenario of chosen) {
  console.error(`${scenario.title}...`)
  try {
    finished.push({ scenario, outcome: await scenario.run(options) })
  } catch (cause) {
    // The others are still worth reading.
    console.error(cause)
    process.exitCode = 1
  }
}

if (options.size === "smallest") {
  console.log(`${finished.length} of ${chosen.length} scenarios work.`)
  process.exit()
}

const minutes = ((Date.now() - started.getTime()) / 60_000).toFixed(1)
const text = report(finished, [
  ...(await describeMachine()),
  `Run of ${minutes} minutes on ${started.toISOString().slice(0, 10)}`,
])
console.log(text)
const missed = finished.flatMap(({ scenario, outcome }) =>
  outcome.goals
    .filter(({ met }) => !met)
    .map(({ promise, measured }) => `- ${scenario.title}: ${promise} (${measured})`),
)
console.log(missed.length === 0 ? "All promises are met." : ["Missed:", ...missed].join("\n"))
if (options.size === "whole" && options.only === undefined && process.exitCode !== 1)
  await Bun.write(join(BENCH, "results.md"), `# Results\n\n${text}`)
