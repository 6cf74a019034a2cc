import type { Answer } from "../../domain/adcp/answer.ts"
import { answerJson } from "../../domain/adcp/json-fragment.ts"

interface Named {
  product_id?: string
  format_id?: { id: string }
  name: string
}

/** The MCP result of a tool as JSON: the AdCP payload as structured content, and a summary for people and simple hosts. */
export function toolResult({ payload, isError }: Answer): string {
  const texts = isError ? errorTexts(payload) : [summaryOf(payload)]
  const content = texts.map((text) => `{"type":"text","text":${JSON.stringify(text)}}`)
  return `{"content":[${content.join(",")}],"structuredContent":${answerJson(payload)}${isError ? ',"isError":true' : ""}}`
}

/** An error is said twice: as the JSON that AdCP clients look for, and in words. */
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
