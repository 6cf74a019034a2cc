import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ErrorCode, type JSONRPCMessage, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js"
import { maskKeys } from "../../domain/keys/api-key.ts"
import type { MaybePromise } from "../../domain/maybe-promise.ts"
import { isObject } from "../../domain/schema/batch.ts"
import type { GivenUp } from "../http/request-meta.ts"
import type { PreserializedJson } from "./preserialized-json.ts"

// The protocol engine, and the only file that knows it. One server lives as long as the process: building one for each request
// would cost most of the throughput. It is reached through a transport of our own that pairs each request with its answer.

export interface RpcRequest {
  readonly method: string
  readonly params?: unknown
}

export type Arguments = Record<string, unknown>

export type ResultJson = string | PreserializedJson

/** Calls a tool and gives its result as JSON, or undefined when there is no such tool. */
export type ToolCall = (name: string, args: Arguments) => MaybePromise<ResultJson | undefined>

/** The `"result":...` or `"error":...` of a JSON-RPC answer. */
export type RpcOutcome = { readonly result: ResultJson } | { readonly error: { code: number; message: string } }

export interface McpEngine {
  /** Answers one request. It stands alone: nothing of it is remembered, not even while it is worked on once its caller was given up. */
  answer(request: RpcRequest, call: ToolCall, caller: GivenUp): Promise<RpcOutcome>
}

export interface ToolListing {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: object
}

export interface EngineParts {
  readonly version: string
  readonly instructions: string
  readonly tools: readonly ToolListing[]
}

interface Pending {
  readonly call: ToolCall
  readonly args: Arguments
  readonly resolve: (outcome: RpcOutcome) => void
  resultJson?: ResultJson
}

type Listed = { tools: { name: string; inputSchema: { type: "object" } }[] }

export async function mcpEngine({ version, instructions, tools }: EngineParts): Promise<McpEngine> {
  const pending = new Map<number, Pending>()
  const transport = pairingTransport(pending)
  const server = new Server({ name: "adbooth", version }, { capabilities: { tools: {} }, instructions })

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }) as unknown as Listed)
  // Not as a handler of its own: the engine would check call and result in detail, three times over. The call was looked at in
  // argumentsOf, and the result is JSON already.
  server.fallbackRequestHandler = async ({ id, method, params }) => {
    const request = pending.get(Number(id))
    if (method !== "tools/call" || request === undefined)
      throw new McpError(ErrorCode.MethodNotFound, "Method not found")
    const name = String(params?.["name"])
    const called = request.call(name, request.args)
    const resultJson = called instanceof Promise ? await called : called
    if (resultJson === undefined)
      throw new McpError(ErrorCode.InvalidParams, `there is no tool "${maskKeys(name).slice(0, 60)}"`)
    request.resultJson = resultJson
    return {}
  }
  const take = messageTaker(server, transport)
  await server.connect(transport)

  // Ids of our own, because two callers may choose the same one.
  let count = 0
  return {
    answer: (request, call, caller) =>
      new Promise((resolve) => {
        const args = argumentsOf(request)
        if (args === undefined) return resolve(invalidParams("params must be an object with a name and arguments"))
        const id = ++count
        pending.set(id, { call, args, resolve })
        caller.onGivenUp = () => pending.delete(id)
        if (take({ jsonrpc: "2.0", id, ...withoutArguments(request) } as JSONRPCMessage)) return
        pending.delete(id)
        resolve(invalidParams("params._meta is not as MCP wants it"))
      }),
  }
}

/**
 * Hands a message to the engine, and says whether the engine took it. One that does not fit its schemas is never answered by the
 * engine: it only tells its error handler, before it returns, or throws when even describing the message fails.
 */
function messageTaker(server: Server, transport: Transport): (message: JSONRPCMessage) => boolean {
  let isTaken = true
  server.onerror = () => {
    isTaken = false
  }
  return (message) => {
    isTaken = true
    try {
      transport.onmessage?.(message)
    } catch {
      isTaken = false
    }
    return isTaken
  }
}

/** The arguments of a tool call, an empty object where there are none; undefined where they are something else. */
function argumentsOf({ method, params }: RpcRequest): Arguments | undefined {
  if (params !== undefined && !isObject(params)) return undefined
  if (method !== "tools/call") return {}
  if (params === undefined || typeof params["name"] !== "string") return undefined
  const args = params["arguments"] ?? {}
  return isObject(args) && params["arguments"] !== null ? args : undefined
}

/** What the engine needs to see of a request: a tool's arguments are not its business, and may be large. */
function withoutArguments({ method, params }: RpcRequest): RpcRequest {
  if (method !== "tools/call") return params === undefined ? { method } : { method, params }
  return { method, params: { name: (params as Arguments)["name"] } }
}

function invalidParams(message: string): RpcOutcome {
  return { error: { code: ErrorCode.InvalidParams, message } }
}

function pairingTransport(pending: Map<number, Pending>): Transport {
  return {
    start: async () => {},
    close: async () => {},
    async send(message) {
      const id = "id" in message ? Number(message.id) : Number.NaN
      const request = pending.get(id)
      pending.delete(id)
      request?.resolve(outcomeOf(message, request))
    },
  }
}

function outcomeOf(message: JSONRPCMessage, { resultJson }: Pending): RpcOutcome {
  if ("error" in message) {
    const { code, message: text } = message.error
    // Tools answer their own faults themselves, so what is left are params that the engine could not read.
    if (code === ErrorCode.InternalError) return invalidParams("the params do not fit the method")
    return { error: { code, message: text.replace(/^MCP error -?\d+: /, "") } }
  }
  if (resultJson !== undefined) return { result: resultJson }
  return { result: JSON.stringify("result" in message ? message.result : {}) }
}
