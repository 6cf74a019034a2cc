import { answerJson, jsonOf } from "../../domain/adcp/json-fragment.ts"
import type { Answer } from "../../domain/adcp/tools/answer.ts"

interface Named {
  product_id?: string
  format_id?: { id: string }
  name: string
}

/** The MCP result of a tool as JSON: the AdCP payload as structured content, and a summary for people and simple hosts. */
export function toolResult({ payload, isError }: Answer): string {
  const texts = isError ? errorTexts(payload) : [summaryOf(payload)]
  const content = texts.map((text) => `{"type":"text","text":"${text}"}`)
  const flag = isError ? '"isError":true,' : ""
  return `{"content":[${content.join(",")}],${flag}"structuredContent":${answerJson(payload)}}`
}

/** A result with the caller's context as the last field of its payload. */
export function withContext(result: string, context: object | undefined): string {
  return context === undefined ? result : `${result.slice(0, -2)},"context":${jsonOf(context)}}}`
}

/** An error is said twice: as the JSON that AdCP clients look for, and in words. */
function errorTexts({ adcp_error, message }: Answer["payload"]): string[] {
  return [inJson(JSON.stringify({ adcp_error })), inJson(String(message))]
}

/** A sentence, then one line for each entry: some hosts show their model nothing else. */
function summaryOf({ message, products, formats }: Answer["payload"]): string {
  const lines = products === undefined ? formatLines((formats ?? []) as Named[]) : linesOf(products as Named[])
  return inJson(String(message)) + lines
}

function linesOf(entries: readonly Named[]): string {
  return inJson(entries.map(({ product_id, format_id, name }) => `\n${product_id ?? format_id?.id}: ${name}`).join(""))
}

const linesOfLists = new WeakMap<readonly Named[], string>()

/** The whole catalogue is one and the same list until it changes, so its lines are written once. */
function formatLines(formats: readonly Named[]): string {
  const lines = linesOfLists.get(formats) ?? linesOf(formats)
  linesOfLists.set(formats, lines)
  return lines
}

/** A text as it stands between the quotation marks of a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
