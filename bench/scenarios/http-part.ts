import { join } from "node:path"
import { createSecret } from "../../src/domain/api-key.ts"
import { sendOnce } from "../harness/load.ts"
import { startServer } from "../harness/product.ts"
import { alternate, type Contender, figureLines, type Options, serverContender } from "../harness/rounds.ts"
import { deliveries, ITEMS } from "../harness/workload.ts"
import { mustAccept } from "./hot-paths.ts"
import type { Scenario } from "./scenario.ts"

const KEY = createSecret()
const REFERENCE = join(import.meta.dir, "../references/http-part.ts")

export const httpPart: Scenario = {
  name: "http",
  title: "Delivery without storage, from source: what the HTTP part adds to Bun's own server with the same checks",
  run: async (_program, options) => [
    ...(await measured("500 items, 8 connections", ITEMS, 8, options)),
    ...(await measured("1 item, 64 connections", 1, 64, options)),
  ],
}

async function measured(title: string, items: number, connections: number, options: Options): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const requests = deliveries(KEY, items)
  async function contender(name: string, part: string): Promise<Contender> {
    const server = stack.use(await startServer([process.execPath, REFERENCE, part, KEY]))
    mustAccept(await sendOnce(server.url, requests(0)[0]), items)
    return serverContender(name, server, { connections, requests })
  }
  const contenders = [await contender("Bun.serve", "bare"), await contender("Adbooth", "program")]
  return [`${title}:`, ...figureLines(await alternate(contenders, options))]
}
