import { statSync } from "node:fs"
import { atMost } from "../harness/goals.ts"
import { BUN, PRODUCT } from "../harness/places.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { spreadOf } from "../harness/statistics.ts"

const MEGABYTE = 1_000_000

export const size: Scenario = { name: "size", title: "Size of the executable", run }

async function run(): Promise<Outcome> {
  const product = statSync(PRODUCT).size / MEGABYTE
  const runtime = statSync(BUN).size / MEGABYTE
  return {
    unit: "MB",
    figures: [
      { contender: "Adbooth", spread: spreadOf([product]) },
      { contender: "the bare Bun runtime", spread: spreadOf([runtime]) },
    ],
    goals: [atMost(15, "MB", product - runtime, "beyond the bare Bun runtime")],
  }
}
