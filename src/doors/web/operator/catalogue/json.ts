import { isObject } from "../../../../domain/schema/batch.ts"

// Reads what is stored, whose shape is not known.

export type Json = Record<string, unknown>

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""
