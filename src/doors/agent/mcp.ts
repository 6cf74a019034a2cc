import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ErrorCode, type JSONRPCMessage, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { isObject } from "../../domain/schema/batch.ts"
import type { RequestMeta } from "../http/request-meta.ts"
import { invalidParams, type RpcOutcome, type RpcRequest } from "./rpc.ts"
import type { ToolListing } from "./tools.ts"

// The only file that uses the MCP SDK, for every method but tools/call (docs/decisions/0009). One server for the whole process: one per
// request would cost most of the throughput. Our own transport pairs each request with its answer.

type EngineRequest = Pick<RpcRequest, "method" | "params">
type EngineParts = Readonly<{ version: string; instructions: string; tools: () => Promise<readonly ToolListing[]> }>

/** For answers to questions that a server asks, which this one never does. The one that comes with it takes a twentieth of the time to the first answer. */
const NEVER_USED = {
  getValidator(): never {
    throw new Error("nobody is asked anything")
  },
}

type Pending = Map<number, (outcome: RpcOutcome) => void>

type Listed = { tools: { name: string; inputSchema: { type: "object" } }[] }

export async function mcpEngine({ version, instructions, tools }: EngineParts) {
  const pending: Pending = new Map()
  const transport = pairingTransport(pending)
  const server = new Server(
    { name: "adbooth", version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: NEVER_USED },
  )
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await tools() }) as unknown as Listed)
  const deliver = messageDelivery(server, transport)
  await server.connect(transport)

  // Our own ids, because two callers may choose the same one.
  let count = 0
  return {
    /** Answers one request. Nothing is kept of it, even while it runs, once it was given up. */
    answer: ({ method, params }: EngineRequest, caller: Pick<RequestMeta, "onGivenUp">) =>
      new Promise<RpcOutcome>((resolve) => {
        if (params !== undefined && !isObject(params)) return resolve(invalidParams("params must be an object"))
        const id = ++count
        pending.set(id, resolve)
        caller.onGivenUp = () => pending.delete(id)
        const message = { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) }
        if (deliver(message as JSONRPCMessage)) return
        pending.delete(id)
        resolve(invalidParams("params._meta is not valid"))
      }),
  }
}

/**
 * Hands a message to the engine; false if the engine rejects it. It never answers a message that does not fit its schemas: it only calls
 * its error handler, synchronously, or throws if even describing the message fails.
 */
function messageDelivery(server: Server, transport: Transport): (message: JSONRPCMessage) => boolean {
  let isAccepted = true
  server.onerror = () => {
    isAccepted = false
  }
  return (message) => {
    isAccepted = true
    try {
      transport.onmessage?.(message)
    } catch {
      isAccepted = false
    }
    return isAccepted
  }
}

const pairingTransport = (pending: Pending): Transport => ({
  start: async () => {},
  close: async () => {},
  async send(message) {
    const id = "id" in message ? Number(message.id) : Number.NaN
    const resolve = pending.get(id)
    pending.delete(id)
    resolve?.(outcomeOf(message))
  },
})

function outcomeOf(message: JSONRPCMessage): RpcOutcome {
  if ("error" in message) {
    const { code, message: text } = message.error
    // Nothing else can fail but that the engine could not parse the params.
    if (code === ErrorCode.InternalError) return invalidParams("the params do not fit the method")
    return { error: { code, message: text.replace(/^MCP error -?\d+: /, "") } }
  }
  return { result: "result" in message ? message.result : {} }
}
