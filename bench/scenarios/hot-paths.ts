import { join } from "node:path"
import { type Load, sendOnce } from "../harness/load.ts"
import { type Installation, install, type Program, startServer } from "../harness/product.ts"
import { alternate, type Contender, figureLines, loopContender, serverContender } from "../harness/rounds.ts"
import {
  briefCall,
  catalogFile,
  deliveries,
  formatsCall,
  ITEMS,
  linesFile,
  OPENED_PRODUCTS,
  SELLER,
} from "../harness/workload.ts"
import type { Scenario } from "./scenario.ts"

const REFERENCES = join(import.meta.dir, "../references")

/** What programs ask for all day. It's compared with bare references and with other commits. */
interface HotPath {
  readonly name: string
  readonly title: string
  /** Fills a new database with commands, and says what to send. */
  readonly fill: (installation: Installation) => Promise<Load>
  /** Throws unless the answer does the work: refusing is fast. */
  readonly check: (answer: unknown) => void
  readonly references: (
    stack: AsyncDisposableStack,
    folder: string,
    load: Load,
    answer: unknown,
  ) => Promise<Contender[]>
}

async function deliveryLoad(installation: Installation, items: number, connections: number): Promise<Load> {
  await installation.import(linesFile())
  return { connections, requests: deliveries(await installation.newKey(SELLER), items) }
}

const sqliteLoop = (folder: string, items: number) =>
  loopContender("bare SQLite loop", [join(REFERENCES, "bare-sqlite.ts"), join(folder, "loop.db"), String(items)])

const HOT_PATHS: readonly HotPath[] = [
  {
    name: "delivery-500",
    title: "Delivery, 500 items a request, 8 connections",
    fill: (installation) => deliveryLoad(installation, ITEMS, 8),
    check: (answer) => mustAccept(answer, ITEMS),
    references: async (stack, folder, load) => [sqliteLoop(folder, ITEMS), await bareServer(stack, load, "delivery")],
  },
  {
    name: "delivery-1",
    title: "Delivery, 1 item a request, 64 connections",
    fill: (installation) => deliveryLoad(installation, 1, 64),
    check: (answer) => mustAccept(answer, 1),
    references: async (stack, folder, load) => [sqliteLoop(folder, 1), await bareServer(stack, load, "delivery")],
  },
  {
    name: "products",
    title: `get_products, another brief in each call, ${OPENED_PRODUCTS} products, 16 connections`,
    async fill(installation) {
      const [key = ""] = await installation.import(catalogFile())
      return { connections: 16, requests: () => [briefCall(key)] }
    },
    check: (answer) => mustList(answer, "products"),
    references: agentReferences,
  },
  {
    name: "formats",
    title: "list_creative_formats, 16 connections",
    async fill(installation) {
      await installation.import(catalogFile())
      return { connections: 16, requests: () => [formatsCall()] }
    },
    check: (answer) => mustList(answer, "formats"),
    references: agentReferences,
  },
]

export const hotPathScenarios: readonly Scenario[] = HOT_PATHS.map((path) => ({
  name: path.name,
  title: path.title,
  async run(program, options) {
    await using stack = new AsyncDisposableStack()
    const { contender, installation, load, answer } = await startProduct(path, "Adbooth", program, stack)
    const references = await path.references(stack, installation.folder, load, answer)
    return figureLines(await alternate([contender, ...references], options))
  },
  async compare(here, there, options) {
    await using stack = new AsyncDisposableStack()
    const first = await startProduct(path, "here", here, stack)
    const second = await startProduct(path, "there", there, stack)
    return figureLines(await alternate([first.contender, second.contender], options))
  },
}))

async function startProduct(path: HotPath, name: string, program: Program, stack: AsyncDisposableStack) {
  const installation = stack.use(install(program))
  const load = await path.fill(installation)
  const server = stack.use(await installation.serve())
  const answer = await sendOnce(server.url, load.requests(0)[0])
  path.check(answer)
  return { contender: serverContender(name, server, load), installation, load, answer }
}

async function bareServer(stack: AsyncDisposableStack, load: Load, answer: string): Promise<Contender> {
  const server = stack.use(await startServer([process.execPath, join(REFERENCES, "bare-server.ts"), answer]))
  return serverContender("bare Bun.serve", server, load)
}

/** Servers that answer with what the program answered, so that all of them send as many bytes. */
async function agentReferences(stack: AsyncDisposableStack, folder: string, load: Load, answer: unknown) {
  const answerFile = join(folder, "answer.json")
  await Bun.write(answerFile, JSON.stringify(answer))
  const references = [await bareServer(stack, load, answerFile)]
  const node = Bun.which("node")
  if (node === null) return references
  const catalogFile = join(folder, "catalog.json")
  await Bun.write(catalogFile, JSON.stringify(contentOf(answer)))
  const sdk = stack.use(await startServer([node, join(REFERENCES, "adcp-sdk.mjs"), catalogFile]))
  return [...references, serverContender("@adcp/sdk server", sdk, load)]
}

function contentOf(answer: unknown): Readonly<Record<string, unknown>> {
  return (answer as { result?: { structuredContent?: Record<string, unknown> } }).result?.structuredContent ?? {}
}

function mustList(answer: unknown, name: "products" | "formats"): void {
  const list = contentOf(answer)[name]
  if (!Array.isArray(list) || list.length === 0) throw new Error(`No ${name}: ${JSON.stringify(answer).slice(0, 300)}`)
}

export function mustAccept(answer: unknown, items: number): void {
  const { accepted } = answer as { accepted?: number }
  if (accepted !== items) throw new Error(`Not all items were accepted: ${JSON.stringify(answer).slice(0, 300)}`)
}
