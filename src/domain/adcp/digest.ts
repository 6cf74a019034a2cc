import { hash } from "node:crypto"

/** A short name for a content: equal contents have equal names, and nothing can be read from one. */
export function digestOf(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27)
}

/** JSON with sorted keys and sorted lists of plain values, so that equal requests are equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? "null"
}

function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // Every list that a request holds is a set: order and repetition mean nothing.
  if (Array.isArray(value)) return [...new Set(value.map((item) => canonicalJson(item)))].sort()
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, canonical(field)])
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}
