import * as engine from "@modelcontextprotocol/sdk/types.js"
import { toJSONSchema } from "zod/v4"
import { type JsonSchema, sampleOf } from "./from-schema.ts"

// What the protocol engine takes, by its own schemas: one right message for each of its methods, and one that it has never heard of.

export interface EngineMessage {
  readonly method: string
  readonly params?: unknown
}

export const requests: readonly EngineMessage[] = [...messagesOf(/RequestSchema$/), unknown("no/such/method")]
export const notifications: readonly EngineMessage[] = [
  ...messagesOf(/NotificationSchema$/),
  unknown("notifications/no_such"),
]

function messagesOf(name: RegExp): EngineMessage[] {
  const schemas = Object.entries(engine).flatMap(([key, schema]) => (name.test(key) ? [jsonSchemaOf(schema)] : []))
  // Those without a method of their own only describe what the others share.
  const named = schemas.filter(({ properties }) => properties?.["method"]?.const !== undefined)
  return named.map((schema) => sampleOf(schema) as EngineMessage)
}

function jsonSchemaOf(schema: unknown): JsonSchema {
  return toJSONSchema(schema as Parameters<typeof toJSONSchema>[0], {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema
}

function unknown(method: string): EngineMessage {
  return { method, params: { _meta: { progressToken: 1, [engine.RELATED_TASK_META_KEY]: { taskId: "x" } } } }
}
