import { isObject } from "../../../../domain/schema/batch.ts"
import type { SchemaProblem } from "../../../../domain/schema/check.ts"
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

/** All problems, each with the line it is on when we write the value, as the error of the field. */
export function jsonErrors(value: unknown, problems: readonly SchemaProblem[]): Errors {
  const sentences = problems.map(({ pointer, message }) =>
    pointer === "" ? `${capitalized(message)}.` : `Line ${lineOf(value, pointer)}: ${message}.`,
  )
  return { json: sentences.join("\n") }
}

// No value contains it.
const MARK = "\uE000"

/** The line (from 1) where the value of a JSON pointer begins; that of the nearest value around it if it is missing. */
export function lineOf(value: unknown, pointer: string): number {
  const steps = pointer.split("/").slice(1)
  const names = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  const lines = asJson(marked(value, names)).split("\n")
  return lines.findIndex((line) => line.includes(MARK)) + 1
}

function marked(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== "object" || value === null || !(name in value)) return MARK
  const inside = marked((value as Json)[name], rest)
  return Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: inside })
}

// Reads JSON whose shape is not known.

export type Json = Record<string, unknown>

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""
