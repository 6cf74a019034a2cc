import { join } from "node:path"
import { buildShim } from "../../torture/disk/build-shim.ts"
import { loopCommand } from "../contenders/start.ts"
import { atLeast, below } from "../harness/goals.ts"
import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { runProgram } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Figure, Goal, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load } from "../harness/server-contender.ts"
import { withSideProbe } from "../harness/side-probe.ts"
import { makeAdministrator } from "../harness/sign-in.ts"
import { spreadOf } from "../harness/statistics.ts"
import type { BenchRequest } from "../load/requests-file.ts"
import type { SideWaits } from "../load/side-probe.ts"
import { codesRequest, metricsRequests, ROWS_PER_REQUEST } from "../workload/affiliate.ts"
import { getProducts, listCreativeFormats } from "../workload/agent-calls.ts"
import { batchRequests, ITEMS_PER_REQUEST, singleRequests } from "../workload/delivery.ts"
import { formats } from "../workload/formats.ts"
import { importedLines } from "../workload/lines.ts"
import { pageRequests } from "../workload/pages.ts"
import { openedTo, products } from "../workload/products.ts"

const SYNC_MS = [0, 5, 20, 50]
const PROMISED_AT_MS = 20
const WAIT_MS_MAX = 10
const PRODUCTS = 200
const LIGHT_REPORTERS = 8
const WARM_UP_SECONDS = 0.5

export const disk: Scenario = {
  name: "disk",
  title: "Slow disks: each hot path with syncs that take longer",
  run,
}

/** One line of work on one disk. */
interface Measured {
  readonly work: string
  readonly syncMs: number
  readonly rate: number
  /** The loop that does the same writes and syncs in COMMIT; null where nothing is written. */
  readonly bare: number | null
  readonly waits: SideWaits
}

async function run(options: Options): Promise<Outcome> {
  using folder = temporaryFolder()
  const shim = buildShim(folder.path)
  if ("skipped" in shim) return { unit: "", figures: [], goals: [], notes: [`Not measured. ${shim.skipped}`] }
  const measured: Measured[] = []
  for (const syncMs of SYNC_MS) {
    const slow = { LD_PRELOAD: shim.path, ADBOOTH_DISK_SYNC_MS: String(syncMs) }
    measured.push(...(await measureOn(syncMs, slow, join(folder.path, `loop-${syncMs}`), options)))
  }
  return {
    unit: "reports/s, 64 waiting",
    ratios: false,
    figures: SYNC_MS.flatMap((syncMs) => besideBare(find(measured, syncMs, SINGLE))),
    goals: goalsOf(measured),
    notes: [tableOf(measured)],
  }
}

const SINGLE = "1 item, 64 waiting"
const MANY = "1 item, 512 waiting"

interface Work {
  readonly name: string
  readonly load: Load
  /** The words for the loop beside it: program and items a transaction. */
  readonly loop?: readonly [program: string, ...items: string[]]
}

async function measureOn(
  syncMs: number,
  slow: Record<string, string>,
  file: string,
  { secondsPerRound: seconds }: Options,
): Promise<Measured[]> {
  using installation = newInstallation()
  const catalogue = { formats: formats(), products: products(PRODUCTS), agent_keys: [openedTo(PRODUCTS)] }
  const [agentKey] = await installation.importAll(importedLines(), catalogue)
  const key = await installation.ingestKey()
  const signIn = await makeAdministrator(installation)
  await using server = await installation.serveIn(slow)
  const [, , page] = pageRequests(await signIn(server))
  if (page === undefined) throw new Error("there is no page to ask for")
  await askOnce(server, codesRequest(key))
  const healthz: BenchRequest = { method: "GET", path: "/healthz", headers: {}, body: "" }
  const asked = { "/healthz": healthz, list_creative_formats: listCreativeFormats(), "a page": page }
  const measured: Measured[] = []
  let pass = 0
  for (const { name, load, loop } of worksOf(key, agentKey, { healthz, page })) {
    const light: Load = { requests: (nth) => singleRequests(key, nth), connections: LIGHT_REPORTERS, worth: 1 }
    await driveOnce(server, load, pass++, { seconds: WARM_UP_SECONDS })
    const { result, waits } = await withSideProbe(server, asked, async () => {
      // Who only reads is measured beside a few who report.
      const beside = loop === undefined ? driveOnce(server, light, pass++, { seconds: seconds + 1 }) : null
      const driven = await driveOnce(server, load, pass++, { seconds })
      await beside
      return driven
    })
    const rate = (result.requests / result.seconds) * load.worth
    const bare = loop === undefined ? null : await rateOf(loop, `${file}-${name.replaceAll(/\W/g, "")}`, slow, seconds)
    measured.push({ work: name, syncMs, rate, bare, waits })
  }
  return measured
}

function worksOf(
  key: string,
  agentKey: string | undefined,
  { healthz, page }: { readonly healthz: BenchRequest; readonly page: BenchRequest },
): Work[] {
  const reading = (name: string, request: BenchRequest): Work => ({
    name,
    load: { requests: () => [request], connections: 16, worth: 1 },
  })
  const singles = (connections: number): Load => ({
    requests: (pass) => singleRequests(key, pass),
    connections,
    worth: 1,
  })
  const batches = { requests: (pass: number) => batchRequests(key, pass), connections: 8, worth: ITEMS_PER_REQUEST }
  const metrics = { requests: () => metricsRequests(key), connections: 8, worth: ROWS_PER_REQUEST }
  return [
    { name: SINGLE, load: singles(64), loop: ["sqlite-delivery.ts", "64"] },
    { name: MANY, load: singles(512), loop: ["sqlite-delivery.ts", "512"] },
    { name: "500 items, 8 waiting", load: batches, loop: ["sqlite-delivery.ts"] },
    { name: "1000 affiliate rows, 8 waiting", load: metrics, loop: ["sqlite-affiliate.ts"] },
    reading("/healthz", healthz),
    reading("list_creative_formats", listCreativeFormats()),
    reading("keyed get_products", getProducts(agentKey)),
    reading("a page", page),
  ]
}

async function rateOf(
  [program, ...items]: readonly [string, ...string[]],
  file: string,
  slow: Record<string, string>,
  seconds: number,
): Promise<number> {
  return Number(await runProgram([...loopCommand(program, file), ...items, String(seconds)], { environment: slow }))
}

function find(measured: readonly Measured[], syncMs: number, work: string): Measured {
  const found = measured.find((one) => one.syncMs === syncMs && one.work === work)
  if (found === undefined) throw new Error(`${work} was not measured`)
  return found
}

function besideBare({ syncMs, rate, bare }: Measured): Figure[] {
  return [
    { contender: ours(syncMs), spread: spreadOf([rate]) },
    { contender: loopAt(syncMs), spread: spreadOf([bare ?? 0]) },
  ]
}

const ours = (syncMs: number) => `Adbooth, +${syncMs} ms a sync`
const loopAt = (syncMs: number) => `the bare loop that syncs in COMMIT, +${syncMs} ms`

function goalsOf(measured: readonly Measured[]): Goal[] {
  const single = find(measured, PROMISED_AT_MS, SINGLE)
  const many = find(measured, PROMISED_AT_MS, MANY)
  const at = `at +${PROMISED_AT_MS} ms a sync`
  const waits = Object.entries(single.waits).map(([asked, { p99 }]) =>
    below(WAIT_MS_MAX, "ms", p99, `${at}: p99 of ${asked} beside 64 reporters`),
  )
  const times = many.rate / single.rate
  return [
    ...waits,
    atLeast(1, besideBare(single), ours(PROMISED_AT_MS), loopAt(PROMISED_AT_MS)),
    { promise: `${at}: 512 waiting at least 5 x as many as 64`, measured: times.toFixed(1), met: times >= 5 },
  ]
}

function tableOf(measured: readonly Measured[]): string {
  const whole = (value: number) => Math.round(value).toLocaleString("en")
  const rows = measured.map(({ work, syncMs, rate, bare, waits }) => {
    const cells = Object.values(waits).map(({ p99, worst }) => `${p99.toFixed(1)} / ${worst.toFixed(1)}`)
    const ratio = bare === null ? "" : (rate / bare).toFixed(2)
    return `| ${[work, `+${syncMs} ms`, whole(rate), bare === null ? "" : whole(bare), ratio, ...cells].join(" | ")} |`
  })
  return [
    "Each line of work with the wait of those beside it, p99 / worst in ms. Items or rows a second for what writes, requests for what reads (beside 8 reporters).",
    "",
    "| work | sync | Adbooth | bare loop | ratio | /healthz | list_creative_formats | a page |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n")
}
