import type { Random } from "../harness/part.ts"

/** Values that programs like to stumble over. */
const ODD_VALUES: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  1e308,
  1e-320,
  Number.MAX_SAFE_INTEGER + 2,
  "",
  " ",
  "0",
  "\u0000",
  "\ud800",
  "\u202e\u200b\ufeff",
  "😀".repeat(50),
  "a".repeat(5_000),
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "{{7*7}}%s%n",
  "2026-02-30",
  "2026-11-14T25:00:00Z",
  "9999-12-31T23:59:59.999999Z",
  "00000000-0000-4000-8000-000000000000",
  [],
  [[]],
  {},
  Array.from({ length: 300 }, (_, i) => i),
]

/** Texts that no JSON value writes. */
const ODD_TEXTS: readonly [string, ...string[]] = [
  "",
  "{",
  "nul",
  '"\\ud800"',
  '{"__proto__":{"polluted":true}}',
  '{"a":1,"a":2}',
  "1e999",
  "[".repeat(20_000),
  `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`,
  "\ufeff{}",
  "{}{}",
]

const HEADERS: readonly [[string, string], ...[string, string][]] = [
  ["Content-Type", "application/json; charset=utf-8"],
  ["Content-Type", "multipart/form-data; boundary=x"],
  ["Content-Type", "text/csv"],
  ["Content-Type", ";"],
  ["Accept", ",,;q="],
  ["Accept", "text/event-stream;q=0"],
  ["Authorization", "Bearer "],
  ["Authorization", "Basic YTpi"],
  ["Origin", "null"],
  ["Origin", "http://[::1"],
  ["Cookie", "=;=;"],
  ["Cookie", "adbooth_session=%00"],
  ["X-Forwarded-For", "999.1.1.1, [::ffff:1.2.3.4]:80"],
  ["MCP-Protocol-Version", "2026-07-28"],
  ["MCP-Protocol-Version", "x"],
  ["Sec-Fetch-Site", "cross-site"],
  ["Content-Encoding", "gzip"],
  ["If-None-Match", "*"],
  ["Range", "bytes=9-1"],
  ["Accept-Language", "x".repeat(500)],
  ["Expect", "x"],
  ["Host", "a b"],
  ["Host", "[::1"],
  ["Content-Length", "-1"],
  ["Transfer-Encoding", "gzip"],
]

const METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PROPFIND"] as const
const PATH_PARTS = ["..", "%2e%2e", "%00", "%", "%zz", "%C0%AF", "//", "\\", "?", ";", "%20", "é", "*"] as const
const QUERIES = ["dry_run=yes", "page=-1", "q=%00", "a=1&a=2", "next=//x", "=&=", "before=x", "sort=x"] as const
// Right values now and then, so that some get past the first check.
const PLAIN_VALUES = ["DE", "2026-11-20", "1", "EUR", "a@example.com", "impressions", "yes"] as const

export const oddText = (random: Random): string => {
  if (random.below(3) === 0) return random.oneOf(PLAIN_VALUES)
  const odd = random.oneOf(ODD_VALUES)
  return typeof odd === "string" ? odd : JSON.stringify(odd)
}

export const oddMethod = (random: Random): string => random.oneOf(METHODS)
export const oddHeader = (random: Random): [string, string] => random.oneOf(HEADERS)

/** The same path with something odd in it, now and then. */
export function oddPath(path: string, random: Random): string {
  const at = random.below(path.length + 1)
  const kind = random.below(8)
  if (kind === 0) return `${path}?${random.oneOf(QUERIES)}`
  if (kind === 1) return path.slice(0, at) + random.oneOf(PATH_PARTS) + path.slice(at)
  if (kind === 2) return `${path}/${"x".repeat(random.below(3_000))}`
  return path
}

/** A JSON text: odd somewhere in its values, in its text, or in its bytes. */
export function oddJson(template: unknown, random: Random): Buffer {
  const kind = random.below(10)
  if (kind === 0) return Buffer.from(random.oneOf(ODD_TEXTS))
  const value = kind < 6 ? mutated(template, random) : mutated(mutated(template, random), random)
  const bytes = Buffer.from(JSON.stringify(value) ?? "")
  return kind === 9 ? oddBytes(bytes, random) : bytes
}

export function oddBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const byte = Buffer.from([random.below(256)])
  if (random.below(2) === 0) return bytes.subarray(0, at)
  return Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at)])
}

function mutated(value: unknown, random: Random): unknown {
  if (random.below(4) === 0 || typeof value !== "object" || value === null) return random.oneOf(ODD_VALUES)
  if (Array.isArray(value)) return mutatedList(value, random)
  const names = Object.keys(value)
  const [first = "x", ...others] = names
  const name = random.oneOf([first, ...others])
  const { [name]: part, ...rest } = value as Record<string, unknown>
  const kind = random.below(5)
  if (kind === 0) return rest
  if (kind === 1) return { ...rest, [`${name}s`]: part }
  if (kind === 2) return { ...value, [oddText(random)]: random.oneOf(ODD_VALUES) }
  return { ...value, [name]: mutated(part, random) }
}

function mutatedList(items: readonly unknown[], random: Random): unknown[] {
  if (items.length === 0) return [random.oneOf(ODD_VALUES)]
  const at = random.below(items.length)
  const kind = random.below(4)
  if (kind === 0) return items.toSpliced(at, 1)
  if (kind === 1) return [...items, items[at]]
  if (kind === 2) return Array.from({ length: 1_200 }, () => items[at])
  return items.with(at, mutated(items[at], random))
}
