import { join } from "node:path"
import { loopCommand, startBare, startPeer } from "../contenders/start.ts"
import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { type Folder, temporaryFolder } from "../harness/places.ts"
import { type Choice, type Installation, newInstallation } from "../harness/product.ts"
import { programContender } from "../harness/program-contender.ts"
import { interleave } from "../harness/rounds.ts"
import type { Contender, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { codesRequest, metricsRequests, ROWS_PER_REQUEST } from "../workload/affiliate.ts"
import { getProducts, listCreativeFormats } from "../workload/agent-calls.ts"
import { batchRequests, ITEMS_PER_REQUEST, sameLinesRequests, singleRequests } from "../workload/delivery.ts"
import { formats } from "../workload/formats.ts"
import { importedLines } from "../workload/lines.ts"
import { BUDGET_BRIEF, OPENED, openedTo, products } from "../workload/products.ts"

const LOOP = "the bare SQLite loop"
const BARE = "bare Bun.serve"
const ADCP_SDK = "@adcp/sdk server"
const PRODUCT = "Adbooth"

/** What programs ask for all day. Each is measured beside its references, and beside another commit of the product. */
export interface HotPath {
  readonly name: string
  readonly title: string
  readonly unit: string
  /** Fills an installation, through commands only: it may be that of another commit. */
  fill(installation: Installation): Promise<Load>
  /** A contender that refuses the work would look fast for the wrong reason. */
  check(answer: unknown): void
  references(folder: Folder, answer: unknown, load: Load): Promise<Contender[]>
  /** The least share of what each reference does with the same processor time. */
  readonly shares: Readonly<Record<string, number>>
}

export const batches: HotPath = {
  name: "delivery-batches",
  title: "Delivery, 500 items a request, 8 connections",
  unit: "items/s",
  async fill(installation) {
    await installation.importAll(importedLines())
    const key = await installation.ingestKey()
    return { requests: (pass) => batchRequests(key, pass), connections: 8, worth: ITEMS_PER_REQUEST }
  },
  check: mustAccept,
  references: async (folder) => [loop("sqlite-delivery.ts", folder)],
  shares: { [LOOP]: 0.6 },
}

/** Several senders of the same lines, whose reports arrive within one millisecond. */
const sameLines: HotPath = {
  ...batches,
  name: "delivery-same-lines",
  title: "Delivery, the same 500 lines in each request, measured at receipt, 8 connections",
  async fill(installation) {
    await installation.importAll(importedLines())
    const key = await installation.ingestKey()
    return { requests: (pass) => sameLinesRequests(key, pass), connections: 8, worth: ITEMS_PER_REQUEST }
  },
}

export const singles: HotPath = {
  name: "delivery-single",
  title: "Delivery, 1 item a request, 64 connections",
  unit: "requests/s",
  async fill(installation) {
    await installation.importAll(importedLines())
    const key = await installation.ingestKey()
    return { requests: (pass) => singleRequests(key, pass), connections: 64, worth: 1 }
  },
  check: mustAccept,
  references: async (_, __, load) => [serverContender(BARE, await startBare("bare-delivery.ts"), load)],
  // It stores nothing: what is stored, and the wait for it, take more processor time than receiving the request.
  shares: { [BARE]: 0.5 },
}

const affiliate: HotPath = {
  name: "affiliate-metrics",
  title: "Affiliate metrics, 1000 rows a request, 8 connections",
  unit: "rows/s",
  async fill(installation) {
    await installation.importAll(importedLines())
    const key = await installation.ingestKey()
    await using server = await installation.serve()
    mustUpsert(await askOnce(server, codesRequest(key)))
    return { requests: () => metricsRequests(key), connections: 8, worth: ROWS_PER_REQUEST }
  },
  check: mustUpsert,
  references: async (folder) => [loop("sqlite-affiliate.ts", folder)],
  shares: { [LOOP]: 0.6 },
}

export const creativeFormats: HotPath = {
  name: "creative-formats",
  title: "list_creative_formats, 16 connections",
  unit: "requests/s",
  fill: async () => ({ requests: () => [listCreativeFormats()], connections: 16, worth: 1 }),
  check: (answer) => mustList(answer, "formats"),
  references: agentPeers,
  shares: { [BARE]: 0.6, [ADCP_SDK]: 10 },
}

const briefs: HotPath = {
  name: "products",
  title: "get_products, another brief in each call, 50 of 200 products opened, 16 connections",
  unit: "requests/s",
  async fill(installation) {
    const key = await fillCatalogue(installation, 200)
    return { requests: () => [getProducts(key, BUDGET_BRIEF)], connections: 16, worth: 1 }
  },
  check: (answer) => mustList(answer, "products", OPENED),
  references: agentPeers,
  shares: { [BARE]: 0.6, [ADCP_SDK]: 10 },
}

export const hotPaths: readonly HotPath[] = [batches, sameLines, singles, affiliate, creativeFormats, briefs]

export const hotPathScenarios: readonly Scenario[] = hotPaths.map((path) => ({
  name: path.name,
  title: path.title,
  run: (options) => besideReferences(path, options),
}))

async function besideReferences(path: HotPath, options: Options): Promise<Outcome> {
  using folder = temporaryFolder()
  await using stack = new AsyncDisposableStack()
  const { contender, answer, load } = await startProduct(path, PRODUCT, stack)
  const references = (await path.references(folder, answer, load)).map((reference) => stack.use(reference))
  const figures = await interleave([contender, ...references], options)
  const goals = Object.entries(path.shares).map(([other, share]) => atLeast(share, figures, PRODUCT, other))
  return { unit: path.unit, figures, goals }
}

/** The product, filled and after it has shown that it does the work. */
export async function startProduct(path: HotPath, name: string, stack: AsyncDisposableStack, choice: Choice = {}) {
  const installation = stack.use(newInstallation(choice))
  const load = await path.fill(installation)
  const server = await installation.serve()
  const contender = stack.use(serverContender(name, server, load))
  const answer = await askOnce(server, load.requests(0)[0])
  path.check(answer)
  return { contender, answer, load }
}

/** A catalogue of so many products, of which fifty are opened to the key that is given back. */
export async function fillCatalogue(installation: Installation, count: number): Promise<string | undefined> {
  const catalogue = { formats: formats(), products: products(count), agent_keys: [openedTo(count)] }
  return (await installation.importAll(catalogue))[0]
}

function loop(program: string, folder: Folder): Contender {
  return programContender(LOOP, loopCommand(program, join(folder.path, "loop.db")))
}

/** The references of an agent's call. They answer with what the product answered, so that all move the same bytes. */
async function agentPeers(folder: Folder, answer: unknown, load: Load): Promise<Contender[]> {
  const answerFile = join(folder.path, "answer.json")
  const catalogueFile = join(folder.path, "catalogue.json")
  await Bun.write(answerFile, JSON.stringify(answer))
  const { formats = [], products = [] } = contentOf(answer)
  await Bun.write(catalogueFile, JSON.stringify({ formats, products }))
  const servers = {
    [BARE]: await startBare("bare-agent.ts", answerFile),
    [ADCP_SDK]: await startPeer("adcp-sdk.mjs", catalogueFile),
  }
  for (const server of Object.values(servers)) await askOnce(server, load.requests(0)[0])
  return Object.entries(servers).map(([name, server]) => serverContender(name, server, load))
}

function contentOf(answer: unknown): Readonly<Record<string, unknown>> {
  return (answer as { result?: { structuredContent?: Record<string, unknown> } }).result?.structuredContent ?? {}
}

/** The tool's list under this name, which must have the promised length where one is promised. */
export function mustList(answer: unknown, name: "formats" | "products", length?: number): void {
  const list = contentOf(answer)[name]
  if (!Array.isArray(list) || list.length !== (length ?? list.length) || list.length === 0)
    throw new Error(`not the ${name}: ${JSON.stringify(answer).slice(0, 300)}`)
}

export function mustAccept(answer: unknown): void {
  const { accepted, rejected } = answer as { accepted?: number; rejected?: number }
  if (!accepted || rejected !== 0) throw new Error(`items refused: ${JSON.stringify(answer).slice(0, 300)}`)
}

function mustUpsert(answer: unknown): void {
  const { ok, upserted } = answer as { ok?: boolean; upserted?: number }
  if (ok !== true || upserted !== ROWS_PER_REQUEST)
    throw new Error(`rows refused: ${JSON.stringify(answer).slice(0, 300)}`)
}
