import { parseJson } from "./exact-json.ts"

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

const GROUPED = /^\d{1,3}\.000$/

/**
 * What somebody typed into a form or a cell, as the value that a program would have sent: a number where it is written as one,
 * else the text itself, which the rules then refuse. Undefined when nothing was typed.
 */
export function typedNumber(text: string): unknown {
  if (text === "") return undefined
  return JSON_NUMBER.test(text) ? parseJson(text) : text
}

/** Like `typedNumber`, where only a whole number fits. "1.000" stays a text: half of Europe means a thousand by it. */
export function typedWhole(text: string): unknown {
  return looksGrouped(text) ? text : typedNumber(text)
}

/** Whether a whole number may have been typed with a point between the thousands. */
export function looksGrouped(text: string): boolean {
  return GROUPED.test(text)
}

/** The fields that somebody filled in; an empty one was not sent. */
export function sentFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""))
}
