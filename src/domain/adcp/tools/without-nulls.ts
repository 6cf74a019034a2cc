import type { Arguments } from "./version.ts"

// These are the caller's own, and come back or are left alone as they were sent.
const UNTOUCHED = new Set(["context", "ext"])

/** The arguments without what is null: programs that fill in forms send null for nothing. */
export function withoutNulls(args: Arguments): Arguments {
  if (!Object.entries(args).some(([name, value]) => value === null || (!UNTOUCHED.has(name) && holdsNull(value))))
    return args
  const left = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const kept = UNTOUCHED.has(name) ? (value ?? undefined) : strip(value)
    return kept === undefined ? [] : [[name, kept]]
  })
  return Object.fromEntries(left)
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null
  return Object.values(value).some(holdsNull)
}

/** Undefined for null, and for an object or a list that holds nothing else. */
function strip(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== "object" || !holdsNull(value)) return value
  if (Array.isArray(value)) {
    const entries = value.map(strip).filter((entry) => entry !== undefined)
    return entries.length === 0 ? undefined : entries
  }
  const fields = Object.entries(value)
    .map(([name, field]) => [name, strip(field)] as const)
    .filter(([, field]) => field !== undefined)
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}
