import { version } from "../../../package.json"
import { answerJson, jsonOf } from "../../domain/adcp/json.ts"
import type { AdcpAnswer } from "../../domain/adcp/tools/answer.ts"
import type { Demand } from "../../domain/demand/demand.ts"

/** The MCP result of a tool: the AdCP payload as structured content, and a summary for people and simple hosts. */
export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[]
  readonly isError?: true
  readonly structuredContent: AdcpAnswer["payload"]
}

export interface ToolAnswer {
  readonly result: ToolResult
  /** For the call log: completed, or the code of the error. */
  readonly outcome: string
  readonly demand: Demand | null
}

export function toolResult({ payload, isError, lines = [] }: AdcpAnswer): ToolResult {
  // Some hosts show their model nothing but the text.
  const texts = isError ? errorTexts(payload) : [[payload["message"], ...lines].join("\n")]
  const content = texts.map((text) => ({ type: "text" as const, text }))
  return { content, ...(isError && { isError }), structuredContent: payload }
}

export const withContext = (result: ToolResult, context: object | undefined): ToolResult =>
  context === undefined ? result : { ...result, structuredContent: { ...result.structuredContent, context } }

/** What MCP 2026-07-28 wants before and after the fields of each result. */
export const MODERN_RESULT = {
  first: '"resultType":"complete",',
  last: `,"_meta":${JSON.stringify({ "io.modelcontextprotocol/serverInfo": { name: "adbooth", version } })}`,
}

/** The fields of a result as JSON, without the brackets around them. Products and formats in it were serialized before. */
export function resultJson(result: object): string {
  if (!("structuredContent" in result)) return JSON.stringify(result).slice(1, -1)
  const { content, isError, structuredContent } = result as ToolResult
  const error = isError ? ',"isError":true' : ""
  return `"content":${jsonOf(content)}${error},"structuredContent":${answerJson(structuredContent)}`
}

/** An error twice: as the JSON that AdCP clients look for, and in words. */
function errorTexts({ adcp_error, message }: AdcpAnswer["payload"]): string[] {
  const { suggestion } = adcp_error as { suggestion?: string }
  return [JSON.stringify({ adcp_error }), [message, suggestion].filter((text) => text !== undefined).join(" ")]
}

// For the JSON-RPC envelope around a result, with the caller's id.
const ROOM = 256

interface CachedBytes {
  /** With room on both sides of the JSON. */
  readonly bytes: Buffer<ArrayBuffer>
  readonly end: number
}

const cache = new WeakMap<object, CachedBytes>()

/**
 * Caches the fields of a frequent result: putting it together costs more than sending it (docs/decisions/0009). Kept beside the
 * result, which stays a plain MCP result. Returns how many bytes they are.
 */
export function cacheBytes(result: object): number {
  const json = resultJson(result)
  const length = Buffer.byteLength(json)
  const bytes = Buffer.allocUnsafeSlow(length + 2 * ROOM)
  bytes.write(json, ROOM)
  cache.set(result, { bytes, end: ROOM + length })
  return length
}

/** `before`, the cached fields and `after`, valid until the next call; undefined when the result is not cached. */
export function cachedBytes(result: object, before: string, after: string): Uint8Array<ArrayBuffer> | undefined {
  const cached = cache.get(result)
  if (cached === undefined) return undefined
  const { bytes, end } = cached
  const start = ROOM - Buffer.byteLength(before)
  // The caller chose a very long id.
  if (start < 0) return Buffer.concat([Buffer.from(before), bytes.subarray(ROOM, end), Buffer.from(after)])
  bytes.write(before, start)
  return bytes.subarray(start, end + bytes.write(after, end))
}
