// npm run bench: see harness/options.ts for its options.
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

const minutes = ((Date.now() - started.getTime()) / 60_000).toFixed(1)
const text = report(finished, [
  ...(await describeMachine()),
  `Run of ${minutes} minutes on ${started.toISOString().slice(0, 10)}`,
])
console.log(text)
if (options.size === "whole" && options.only === undefined && process.exitCode !== 1)
  await Bun.write(join(BENCH, "results.md"), `# Results\n\n${text}`)
