import { type TSchema, Type } from "@sinclair/typebox"
import { version } from "../../../package.json"
import { checkFor } from "../../domain/schema/check.ts"
import { optional, Text } from "../../domain/schema/schema-helpers.ts"
import { invalidParams, METHOD_NOT_FOUND, type RpcOutcome, type RpcRequest } from "./rpc.ts"
import type { ToolListing } from "./tools.ts"

// The methods of MCP before 2026-07-28, but for tools/call. These revisions do not change any more.

/** Newest first. */
export const LEGACY_REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]

const meta = optional({
  _meta: Type.Object(
    optional({
      progressToken: Type.Union([Type.String(), Type.Integer()]),
      "io.modelcontextprotocol/related-task": Type.Object({ taskId: Text }),
    }),
  ),
})

const takes = (fields: Record<string, TSchema>) => checkFor(Type.Object({ ...fields, ...meta }))

const isSent = takes({})
const isListed = takes(optional({ cursor: Text }))
const isGreeting = takes({
  protocolVersion: Text,
  capabilities: Type.Object({}),
  clientInfo: Type.Object({ name: Text, version: Text }),
})

/** What all of them are told, whatever they ask. */
export interface Told {
  readonly instructions: string
  readonly tools: readonly ToolListing[]
}

export function legacyResult({ method, params = {} }: RpcRequest, { instructions, tools }: Told): RpcOutcome {
  if (!isSent(params).ok) return invalidParams("params must be an object, with a valid _meta if any")
  if (method === "ping") return { result: {} }
  if (method === "tools/list") return isListed(params).ok ? { result: { tools } } : UNFIT
  if (method !== "initialize") return { error: { code: METHOD_NOT_FOUND, message: "Method not found" } }
  if (!isGreeting(params).ok) return UNFIT
  const { protocolVersion: asked } = params as { protocolVersion: string }
  const protocolVersion = LEGACY_REVISIONS.includes(asked) ? asked : LEGACY_REVISIONS[0]
  const serverInfo = { name: "adbooth", version }
  return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions } }
}

const UNFIT = invalidParams("the params do not fit the method")
