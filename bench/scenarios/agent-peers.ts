import { join } from "node:path"
import { startBare, startPeer } from "../contenders/start.ts"
import type { Folder } from "../harness/places.ts"
import type { Contender } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { firstOf } from "./delivery-peers.ts"

export const BARE = "bare Bun.serve"
export const ADCP_SDK = "@adcp/sdk server"

export interface ToolAnswer {
  readonly result: { readonly structuredContent: Readonly<Record<string, unknown>> }
}

/** The references of an agent's call. They answer with what the product answered, so that all move the same bytes. */
export async function agentPeers(folder: Folder, answer: ToolAnswer, load: Load): Promise<Contender[]> {
  const answerFile = join(folder.path, "answer.json")
  const catalogueFile = join(folder.path, "catalogue.json")
  await Bun.write(answerFile, JSON.stringify(answer))
  const { formats = [], products = [] } = answer.result.structuredContent
  await Bun.write(catalogueFile, JSON.stringify({ formats, products }))
  const servers = {
    [BARE]: await startBare("bare-agent.ts", answerFile),
    [ADCP_SDK]: await startPeer("adcp-sdk.mjs", catalogueFile),
    "MCP SDK, documented stateless pattern": await startPeer("mcp-stateless.mjs", catalogueFile),
  }
  for (const server of Object.values(servers)) await askOnce(server, firstOf(load))
  return Object.entries(servers).map(([name, server]) => serverContender(name, server, load))
}

/** The tool's list under this name, which must have the promised length: nothing is compared that is not the same work. */
export function mustList(answer: unknown, name: "formats" | "products", length: number): ToolAnswer {
  const whole = answer as ToolAnswer
  const list = whole.result?.structuredContent?.[name]
  if (!Array.isArray(list) || list.length !== length)
    throw new Error(`not ${length} ${name}: ${JSON.stringify(answer).slice(0, 300)}`)
  return whole
}
