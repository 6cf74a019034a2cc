import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { type JSONRPCMessage, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { version } from "../../package.json"
import { isObject } from "../domain/schema/explain.ts"
import { INVALID_PARAMS, type RpcError, type RpcRequest } from "./rpc.ts"
import type { ToolListing } from "./tools.ts"

type RpcOutcome = { readonly result: object } | { readonly error: RpcError }

const INTERNAL_ERROR = -32_603

/**
 * The official SDK answers every method of the older revisions besides tools/call. There is one server for all callers,
 * because one for each request would cost most of the speed. Its transport pairs each request with its answer.
 */
export async function openSdkServer(tools: () => Promise<readonly ToolListing[]>) {
  const waiting = new Map<number, (outcome: RpcOutcome) => void>()
  let count = 0
  let isAccepted = true

  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message) {
      const id = "id" in message ? Number(message.id) : -1
      waiting.get(id)?.(outcomeOf(message))
      waiting.delete(id)
    },
  }
  const server = new Server({ name: "adbooth", version }, { capabilities: { tools: {} } })
  // The SDK's type for a listing wants a type of schema that TypeBox doesn't name.
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await tools() }) as never)
  // A message that doesn't fit the SDK's schemas is never answered: this is called, before `onmessage` returns.
  server.onerror = () => {
    isAccepted = false
  }
  await server.connect(transport)

  return function answer({ method, params }: RpcRequest): Promise<RpcOutcome> {
    if (params !== undefined && !isObject(params)) return Promise.resolve(invalid("params must be an object"))
    const { promise, resolve } = Promise.withResolvers<RpcOutcome>()
    // Our own IDs, because two callers may choose the same one.
    const id = ++count
    waiting.set(id, resolve)
    isAccepted = true
    transport.onmessage?.({ jsonrpc: "2.0", id, method, ...(params && { params }) } as JSONRPCMessage)
    if (!isAccepted) {
      waiting.delete(id)
      resolve(invalid("the params don't fit the method"))
    }
    return promise
  }
}

const invalid = (message: string): RpcOutcome => ({ error: { code: INVALID_PARAMS, message } })

function outcomeOf(message: JSONRPCMessage): RpcOutcome {
  if (!("error" in message)) return { result: "result" in message ? message.result : {} }
  const { code, message: text } = message.error
  // Only params that the SDK can't read make one of these methods fail.
  if (code === INTERNAL_ERROR) return invalid("the params don't fit the method")
  return { error: { code, message: text.replace(/^MCP error -?\d+: /, "") } }
}
