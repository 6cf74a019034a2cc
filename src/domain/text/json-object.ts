import { isObject } from "../schema/batch.ts"

/** The JSON object in a text that somebody typed; undefined for anything else. */
export function jsonObjectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
