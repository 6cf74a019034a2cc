import { answerJson, jsonOf } from "../../domain/adcp/json-fragment.ts"
import type { Answer } from "../../domain/adcp/tools/answer.ts"

/** The MCP result of a tool: the AdCP payload as structured content, and a summary for people and simple hosts. */
export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[]
  readonly isError?: true
  readonly structuredContent: Answer["payload"]
}

interface Named {
  product_id?: string
  format_id?: { id: string }
  name: string
}

export function toolResult({ payload, isError }: Answer): ToolResult {
  const texts = isError ? errorTexts(payload) : [summaryOf(payload)]
  const content = texts.map((text) => ({ type: "text" as const, text }))
  return { content, ...(isError && { isError }), structuredContent: payload }
}

/** A result with the caller's context as the last field of its payload. */
export function withContext(result: ToolResult, context: object | undefined): ToolResult {
  return context === undefined ? result : { ...result, structuredContent: { ...result.structuredContent, context } }
}

/** The JSON of a result. Products and formats in it were serialized when their view was prepared. */
export function resultJson(result: object): string {
  if (!("structuredContent" in result)) return JSON.stringify(result)
  const { content, isError, structuredContent } = result as ToolResult
  const flag = isError ? '"isError":true,' : ""
  return `{"content":${jsonOf(content)},${flag}"structuredContent":${answerJson(structuredContent)}}`
}

/** An error twice: as the JSON that AdCP clients look for, and in words. */
function errorTexts({ adcp_error, message }: Answer["payload"]): string[] {
  return [JSON.stringify({ adcp_error }), String(message)]
}

/** A sentence, then one line for each entry: some hosts show their model nothing else. */
function summaryOf({ message, products, formats }: Answer["payload"]): string {
  const entries = (products ?? formats ?? []) as Named[]
  return [message, ...entries.map(({ product_id, format_id, name }) => `${product_id ?? format_id?.id}: ${name}`)].join(
    "\n",
  )
}
