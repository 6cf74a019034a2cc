import { version } from "../../../package.json"
import { JsonBytes, keptJson, Lines } from "../../domain/adcp/json.ts"
import type { Answer } from "../../domain/adcp/tools/answer.ts"

/** The MCP result of a tool: the AdCP payload as structured content, and a summary for people and simple hosts. */
export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string | Lines }[]
  readonly isError?: true
  readonly structuredContent: Answer["payload"]
}

export function toolResult({ payload, isError, lines = [] }: Answer): ToolResult {
  // Some hosts show their model nothing but the text.
  const texts = isError ? errorTexts(payload) : [new Lines(String(payload["message"]), lines)]
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

const json = new JsonBytes()

/**
 * `before`, the fields of a result as JSON without the brackets around them, and `after`, valid until the next call. Products and formats
 * in it were serialized before.
 */
export function resultBytes(result: object, before = "", after = ""): Buffer<ArrayBuffer> {
  json.start().text(before)
  if (!("structuredContent" in result)) return json.text(JSON.stringify(result).slice(1, -1)).text(after).bytes()
  const { content, isError, structuredContent } = result as ToolResult
  json.text('"content":')
  if (keptJson(content) === undefined) writeContent(content)
  else json.value(content)
  return json
    .text(isError ? ',"isError":true,"structuredContent":' : ',"structuredContent":')
    .answer(structuredContent)
    .text(after)
    .bytes()
}

function writeContent(content: ToolResult["content"]): void {
  let before = '[{"type":"text","text":'
  for (const { text } of content) {
    json.text(before).value(text)
    before = '},{"type":"text","text":'
  }
  json.text("}]")
}

/** An error twice: as the JSON that AdCP clients look for, and in words. */
function errorTexts({ adcp_error, message }: Answer["payload"]): string[] {
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
 * result, which stays a plain MCP result.
 */
export function cacheBytes(result: object, json: Buffer): void {
  const end = ROOM + json.length
  const bytes = Buffer.allocUnsafeSlow(end + ROOM)
  json.copy(bytes, ROOM)
  cache.set(result, { bytes, end })
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
