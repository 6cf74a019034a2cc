import type { Options } from "../harness/options.ts"
import type { Running } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Goal, Outcome, Scenario } from "../harness/scenario.ts"
import { spreadOf } from "../harness/statistics.ts"
import { refineProduct } from "../workload/agent-calls.ts"
import { formats } from "../workload/formats.ts"
import { productId, products } from "../workload/products.ts"

const PRODUCTS = 100
const PAIRS_A_ROUND = 300
const FIRST_BYTES = 100
// Of pairs, the share in which one is slower; chance keeps it within this of a half.
const TOLERANCE = 0.06
const WARM_UP = 200

export const hiddenProducts: Scenario = {
  name: "hidden-products",
  title: "Timing of the first hundred bytes: products opened to another key against products that do not exist",
  run,
}

/** Microseconds until the first hundred bytes, pair by pair. */
interface Times {
  readonly hidden: number[]
  readonly missing: number[]
}

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  const half = PRODUCTS / 2
  const opened = (from: number) =>
    Array.from({ length: half }, (_, place) => ({ product_id: productId(from + place), territories: ["DE"] }))
  const keys = await installation.importAll({
    formats: formats(),
    products: products(PRODUCTS),
    agent_keys: [
      { label: "First buyer", opened: opened(0) },
      { label: "Second buyer", opened: opened(half) },
    ],
  })
  await using server = await installation.serve()
  const callers = {
    "first key": { key: keys[0], hidden: half },
    "second key": { key: keys[1], hidden: 0 },
    anonymous: { key: undefined, hidden: 0 },
  }
  const outcomes: [string, Times][] = []
  for (const [name, { key, hidden }] of Object.entries(callers)) {
    const times: Times = { hidden: [], missing: [] }
    await measure(server, key, hidden, WARM_UP, { hidden: [], missing: [] })
    await measure(server, key, hidden, PAIRS_A_ROUND * options.rounds, times)
    outcomes.push([name, times])
  }
  return {
    unit: "µs",
    figures: outcomes.flatMap(([name, { hidden, missing }]) => [
      { contender: `${name}: opened to another`, spread: spreadOf(hidden) },
      { contender: `${name}: does not exist`, spread: spreadOf(missing) },
    ]),
    goals: [goalOf(outcomes)],
  }
}

/** Asks in pairs, and begins with either in turn: what else the machine does falls on both. */
async function measure(server: Running, key: string | undefined, hidden: number, pairs: number, times: Times) {
  for (let pair = 0; pair < pairs; pair++) {
    const place = hidden + (pair % (PRODUCTS / 2))
    const asked = { hidden: productId(place), missing: productId(place + PRODUCTS * 10) }
    for (const kind of pair % 2 === 0 ? (["hidden", "missing"] as const) : (["missing", "hidden"] as const))
      times[kind].push(await firstBytes(server, key, asked[kind]))
  }
}

async function firstBytes(server: Running, key: string | undefined, id: string): Promise<number> {
  const { headers, body } = refineProduct(id, key)
  const began = performance.now()
  const answer = await fetch(server.url, { method: "POST", headers, body })
  let bytes = 0
  let micros = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (micros === 0 && bytes >= FIRST_BYTES) micros = (performance.now() - began) * 1_000
  }
  if (answer.status !== 200 || micros === 0) throw new Error(`${id}: ${answer.status}, ${bytes} bytes`)
  return micros
}

/** The share of pairs in which what exists was slower: a half, but for chance, whoever asks. */
function goalOf(outcomes: readonly (readonly [string, Times])[]): Goal {
  const slower = outcomes.map(([, { hidden, missing }]) => {
    return hidden.filter((micros, pair) => micros > (missing[pair] ?? 0)).length / hidden.length
  })
  return {
    promise: "neither is told apart by time",
    measured: `the first slower in ${slower.map((share) => `${(100 * share).toFixed(1)} %`).join(", ")} of pairs`,
    met: slower.every((share) => Math.abs(share - 0.5) <= TOLERANCE),
  }
}
