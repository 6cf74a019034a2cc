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
