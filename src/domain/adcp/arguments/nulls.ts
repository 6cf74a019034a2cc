import type { Arguments } from "../tools/answer.ts"

// The content of these fields belongs to the caller.
const UNTOUCHED = ["context", "ext"]

/** The arguments without nulls, because programs that fill in forms send null for an empty field. */
export function withoutNulls(args: Arguments): Arguments {
  const fields = Object.entries(args).map(([name, value]): [string, unknown] => {
    if (UNTOUCHED.includes(name)) return [name, value ?? undefined]
    // Each entry of `refine` gets an answer in its place.
    return [name, name === "refine" && Array.isArray(value) ? value.map((each) => strip(each) ?? null) : strip(value)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** Undefined for null, and for an object or a list that contains only nulls. */
function strip(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== "object") return value
  if (Array.isArray(value)) {
    const entries = value.map(strip).filter((entry) => entry !== undefined)
    return entries.length === 0 && value.length > 0 ? undefined : entries
  }
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, strip(field)])
  const kept = fields.filter(([, field]) => field !== undefined)
  return kept.length === 0 && fields.length > 0 ? undefined : Object.fromEntries(kept)
}
