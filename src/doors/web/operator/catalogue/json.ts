import type { SchemaProblem } from "../../../../domain/schema/check.ts"
import type { Errors } from "../../form.ts"

type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly errors: Errors }

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
export function jsonErrors(text: string, problems: readonly SchemaProblem[]): Errors {
  if (problems.length === 0) return {}
  const sentences = problems.map(({ pointer, message }) => {
    const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
    return pointer === "" ? sentence : `Line ${lineOf(text, pointer)}: ${message}.`
  })
  return { json: sentences.join("\n") }
}

export const JSON_HINT = "Everything is checked before it is saved."

/** The line (from 1) where the value of a JSON pointer begins; that of the nearest value around it if it is missing. */
export function lineOf(text: string, pointer: string): number {
  const starts = valueStarts(text)
  let wanted = pointer
  while (!starts.has(wanted) && wanted !== "") wanted = wanted.slice(0, wanted.lastIndexOf("/"))
  const start = starts.get(wanted) ?? 0
  return text.slice(0, start).split("\n").length
}

const SPACE = /\s*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const PLAIN = /[^\s,\]}]+/y

/** Where each value of the text begins, by pointer. The text is known to be valid JSON. */
function valueStarts(text: string): Map<string, number> {
  const starts = new Map<string, number>()
  let at = 0

  function take(pattern: RegExp): string {
    pattern.lastIndex = at
    const [found = ""] = pattern.exec(text) ?? []
    at += found.length
    return found
  }

  function value(pointer: string): void {
    take(SPACE)
    starts.set(pointer, at)
    if (text[at] === "{") members(pointer, "}", () => keyOf(take(STRING)))
    else if (text[at] === "[") members(pointer, "]", String)
    else if (text[at] === '"') take(STRING)
    else take(PLAIN)
  }

  function members(pointer: string, end: string, nameOf: (index: number) => string): void {
    at++
    take(SPACE)
    for (let index = 0; at < text.length && text[at] !== end; index++) {
      const name = nameOf(index)
      take(SPACE)
      if (text[at] === ":") at++
      value(`${pointer}/${name}`)
      take(SPACE)
      if (text[at] === ",") at++
      take(SPACE)
    }
    at++
  }

  value("")
  return starts
}

function keyOf(quoted: string): string {
  return String(JSON.parse(quoted)).replaceAll("~", "~0").replaceAll("/", "~1")
}

// Reads JSON whose shape is not known.

export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""
