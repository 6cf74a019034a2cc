import { isObject } from "../../../../domain/schema/batch.ts"
import type { SchemaProblem } from "../../../../domain/schema/check.ts"
import { pointerToPath } from "../../../../domain/schema/explain.ts"
import { capitalized } from "../../../../domain/text/short-text.ts"
import type { Errors } from "../../form.ts"

// The runtime quotes the text that it could not parse, however long.
const REASON_CHARACTERS_MAX = 80

/** The JSON in a text area, or an error for the field. */
export function readJson(text: string) {
  try {
    return { ok: true, value: JSON.parse(text) as unknown } as const
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^JSON Parse error: /, "") : "it cannot be read"
    const short = reason.length > REASON_CHARACTERS_MAX ? `${reason.slice(0, REASON_CHARACTERS_MAX)}…` : `${reason}.`
    return { ok: false, errors: { json: `This is not JSON: ${short}` } } as const
  }
}

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** All problems as the error of the field, each with its place in the JSON. */
export function jsonErrors(problems: readonly SchemaProblem[]): Errors {
  const sentences = problems.map(({ pointer, message }) => {
    const path = pointerToPath(pointer)
    if (path === "") return `${capitalized(message)}.`
    return `${message.startsWith(path) ? message : `${path} ${message}`}.`
  })
  return { json: sentences.join("\n") }
}

// Reads JSON whose shape is not known.

export type Json = Record<string, unknown>

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""
