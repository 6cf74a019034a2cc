import { rmSync } from "node:fs"
import { join } from "node:path"
import { atMost } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { PRODUCT, temporaryFolder } from "../harness/places.ts"
import { type Probe, startProbe, type Waits } from "../harness/probe.ts"
import { type Running, runProgram } from "../harness/process.ts"
import { type Installation, newInstallation } from "../harness/product.ts"
import type { Goal, Outcome, Scenario } from "../harness/scenario.ts"
import { makeOperator } from "../harness/sign-in.ts"
import { spreadOf } from "../harness/statistics.ts"
import { formats } from "../workload/formats.ts"
import {
  MARKETS,
  type MarketSize,
  marketImport,
  marketOrganizations,
  packageIdOf,
  seedMarket,
} from "../workload/market.ts"
import { marketPages } from "../workload/market-pages.ts"
import { openedTo, products } from "../workload/products.ts"

const PAGE_MS_MAX = 150
const WAIT_MS_MAX = 250
// A restore replaces everything in one transaction, once in a year: reports wait for it, and none may fail.
const RESTORE = "adbooth backup restore"
const WAIT_MS_MAX_OF_RESTORE = 3_000
const PRODUCTS = 1_000
const LINES_IMPORTED = 10_000

export const waits: Scenario = {
  name: "waits",
  title: "Waits: pages, downloads and commands of a large market, and who waits for them",
  run,
}

/** What something took, and how long others had to wait meanwhile. */
interface Measured {
  readonly name: string
  readonly kind: "page" | "download" | "command"
  readonly ms: number
  readonly waits: Waits
}

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  const size = MARKETS[options.size]
  await installation.importAll({
    organizations: marketOrganizations,
    formats: formats(),
    products: products(PRODUCTS),
    agent_keys: [openedTo(PRODUCTS)],
  })
  const key = await installation.ingestKey()
  const signIn = await makeOperator(installation)
  seedMarket(installation.data, size)
  await using server = await installation.serve()
  const cookie = await signIn(server)
  await using probe = startProbe(server, key, packageIdOf(2))
  const { pages, downloads } = await marketPages(server, cookie)
  const measured: Measured[] = []
  for (const [kind, all] of [
    ["page", pages],
    ["download", downloads],
  ] as const) {
    for (const [name, path] of all)
      measured.push(await bestOf(options.rounds, probe, name, kind, () => download(server, cookie, path)))
  }
  for (const [name, work] of commands(installation, size)) measured.push(await bestOf(1, probe, name, "command", work))
  return outcomeOf(measured)
}

/** Of several rounds the best: what the machine does beside counts for nothing. */
async function bestOf(
  rounds: number,
  probe: Probe,
  name: string,
  kind: Measured["kind"],
  work: () => Promise<unknown>,
): Promise<Measured> {
  let best: Measured | undefined
  for (let round = 0; round < rounds; round += 1) {
    await probe.waits()
    const began = performance.now()
    await work()
    const ms = performance.now() - began
    const waited = await probe.waits()
    const { healthz = waited.healthz, delivery = waited.delivery, failed = 0 } = best?.waits ?? {}
    const waits = {
      healthz: Math.min(healthz, waited.healthz),
      delivery: Math.min(delivery, waited.delivery),
      failed: failed + waited.failed,
    }
    best = { name, kind, ms: Math.min(ms, best?.ms ?? ms), waits }
  }
  if (best === undefined) throw new Error("no round was run")
  console.error(`  ${name}: ${best.ms.toFixed(0)} ms, waits ${JSON.stringify(best.waits)}`)
  return best
}

async function download(server: Running, cookie: string, path: string): Promise<void> {
  const answer = await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: "manual" })
  await answer.bytes()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
}

/** What an operator runs beside the server. A restore comes last: it puts back what the backup kept. */
function commands({ data, command }: Installation, size: MarketSize): Map<string, () => Promise<unknown>> {
  const folder = temporaryFolder()
  const backup = join(folder.path, "backup.db")
  const file = join(folder.path, "import.json")
  const lines = Math.min(LINES_IMPORTED, size.lines)
  return new Map<string, () => Promise<unknown>>([
    ["adbooth line list", () => command("line", "list", "--json")],
    ["adbooth export", () => command("export")],
    ["adbooth doctor", () => command("doctor").catch(() => undefined)],
    ["adbooth backup", () => command("backup", "create", backup)],
    [
      `adbooth import of ${lines.toLocaleString("en")} lines`,
      async () => {
        await Bun.write(file, JSON.stringify(marketImport(lines)))
        await runProgram([PRODUCT, "import", file, "--data", data])
      },
    ],
    [
      RESTORE,
      async () => {
        await command("backup", "restore", backup, "--yes")
        rmSync(folder.path, { recursive: true, force: true })
      },
    ],
  ])
}

function outcomeOf(measured: readonly Measured[]): Outcome {
  const pages = measured.filter(({ kind }) => kind === "page")
  const restores = measured.filter(({ name }) => name === RESTORE)
  const others = measured.filter(({ name }) => name !== RESTORE)
  const goal = (limit: number, what: string, all: readonly Measured[], of: (one: Measured) => number): Goal => {
    const [worst] = all.toSorted((one, other) => of(other) - of(one))
    const judged = atMost(limit, "ms", worst === undefined ? 0 : of(worst), what)
    return { ...judged, measured: `${judged.measured} (${worst?.name})` }
  }
  const failed = measured.reduce((sum, { waits }) => sum + waits.failed, 0)
  return {
    unit: "ms",
    figures: [
      { contender: "pages", spread: spreadOf(pages.map(({ ms }) => ms)) },
      { contender: "longest wait of /healthz for each", spread: spreadOf(measured.map(({ waits }) => waits.healthz)) },
      { contender: "longest wait of a report for each", spread: spreadOf(measured.map(({ waits }) => waits.delivery)) },
    ],
    goals: [
      goal(PAGE_MS_MAX, "every page", pages, ({ ms }) => ms),
      goal(WAIT_MS_MAX, "/healthz beside everything", measured, ({ waits }) => waits.healthz),
      goal(WAIT_MS_MAX, "a report beside everything but a restore", others, ({ waits }) => waits.delivery),
      goal(WAIT_MS_MAX_OF_RESTORE, "a report beside a restore", restores, ({ waits }) => waits.delivery),
      { promise: "no report fails meanwhile", measured: `${failed} failed`, met: failed === 0 },
    ],
    notes: [tableOf(measured), "Of several rounds the best, except for commands, which run once. All in ms."],
  }
}

function tableOf(measured: readonly Measured[]): string {
  const rows = measured.map(
    ({ name, ms, waits: { healthz, delivery } }) =>
      `| ${name} | ${ms.toFixed(0)} | ${healthz.toFixed(1)} | ${delivery.toFixed(1)} |`,
  )
  return ["| what | it takes | /healthz waits | a report waits |", "| --- | --- | --- | --- |", ...rows].join("\n")
}
