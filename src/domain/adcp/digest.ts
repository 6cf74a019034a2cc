import { hash } from "node:crypto"

/** A short hash of the parts. */
export function digestOf(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27)
}

/** JSON with sorted keys and lists, so that equivalent requests give the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? "null"
}

function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // Lists in a request are sets: order and duplicates do not matter.
  if (Array.isArray(value)) return [...new Set(value.map((item) => canonicalJson(item)))].sort()
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, canonical(field)])
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}
