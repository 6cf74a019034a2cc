import type { Complaint } from "../../../../domain/schema/check.ts"
import type { Errors } from "../../form.ts"
import { lineOf } from "./json-lines.ts"

export type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly errors: Errors }

// The runtime quotes the text that it could not parse, however long.
const REASON_CHARACTERS_MAX = 80

/** The JSON in a text area, or an error for the field. */
export function readJson(text: string): ReadJson {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^JSON Parse error: /, "") : "it cannot be read"
    const short = reason.length > REASON_CHARACTERS_MAX ? `${reason.slice(0, REASON_CHARACTERS_MAX)}…` : `${reason}.`
    return { ok: false, errors: { json: `This is not JSON: ${short}` } }
  }
}

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** All problems, each with the line it is on, as the error of the field. */
export function jsonErrors(text: string, complaints: readonly Complaint[]): Errors {
  if (complaints.length === 0) return {}
  const sentences = complaints.map(({ pointer, message }) => {
    const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
    return pointer === "" ? sentence : `Line ${lineOf(text, pointer)}: ${message}.`
  })
  return { json: sentences.join("\n") }
}

export const JSON_HINT =
  "A format_id without agent_url means a format of this installation. Everything is checked before it is saved."
