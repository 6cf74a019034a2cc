import { hash } from "node:crypto"

export const digestOf = (...parts: readonly string[]): string =>
  hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27)

/** JSON with its names and lists in order, so that requests that mean the same give the same text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(canonical(value)) ?? "null"

function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // The lists of a request are sets: order and repetition don't matter.
  if (Array.isArray(value)) return [...new Set(value.map(canonicalJson))].sort()
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, canonical(field)])
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}
