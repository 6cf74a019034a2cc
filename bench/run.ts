// npm run bench [-- --quick | --full] [--only NAME]: the product beside its references, in one run, on this machine. --quick takes about two
// minutes, --full also moves ten million reports; --only runs the scenarios whose name contains NAME and leaves bench/results.md as it is.
import { join } from "node:path"
import { describeMachine } from "./harness/machine.ts"
import { readOptions } from "./harness/options.ts"
import { installPeers } from "./harness/peers.ts"
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

if (!chosen.every(({ isAlone }) => isAlone)) {
  await installPeers()
  await buildProduct()
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
if (options.only === undefined && process.exitCode !== 1)
  await Bun.write(join(BENCH, "results.md"), `# Results\n\n${text}`)
