import { expect, test } from "bun:test"
import { startApp } from "../harness/app.ts"
import { CODES, DELIVERY, givenKey, METRICS, post } from "../harness/data/ingest.ts"
import { operationOf, validatorOf } from "../harness/openapi.ts"

// What the published schemas say of a row, and what the API says of it, for every odd value of every field. Rows are JSON texts,
// because a number may lose digits when it's parsed.

const UUID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const json = (value: string): string => JSON.stringify(value)

const TYPES = ["null", "true", "false", "[]", "{}", '{"a":1}']
const NUMBERS = (
  "0 -0 1 1.0 1e3 1E+3 1.5 -1 -1e-7 0.1 199.95 0.000001 0.0000015 8999999999.999999 9000000000 9000000000.5 9000000001 " +
  "9007199254740991 9007199254740992 18446744073709551616 1e15 1e16 1e308 1e400 -1e400"
).split(" ")
const IDS = [UUID, UUID.toUpperCase(), `{${UUID}}`, UUID.replaceAll("-", ""), UUID.slice(1), `${UUID}\n`, ` ${UUID}`]
const DAYS =
  "2026-11-14 2024-02-29 2026-13-01 2026-01-32 2026-1-1 26-01-01 2026-11-14Z 20261114 2026/11/14 yesterday 10000-01-01".split(
    " ",
  )
const TIMES =
  "T00:00:00Z t12:00:00z T12:00:00+01:00 T12:00:00.123456Z T12:00Z T12:00:00 T12:00:00+0100 T12:00:00,1Z T12:00:00ZZ".split(
    " ",
  )
const MARKS = ["\u0000", "\t", "\u007f", "\u0085", "\u00a0", "\u2028", "\u3000", "\ufeff", "\ud800", "\udc00"]
const TEXTS = ["", "a", "a b", "123", "😀", ...MARKS.flatMap((mark) => [mark, `${mark}a`, `a${mark}`, `a${mark}a`])]
const LENGTHS = [128, 129, 256, 257].flatMap((length) => ["x".repeat(length), "😀".repeat(length)])

const VALUES = [
  ...TYPES,
  ...NUMBERS,
  ...NUMBERS.map(json),
  ...[...IDS, ...DAYS, ...TIMES.map((time) => `2026-11-14${time}`), ...TEXTS, ...LENGTHS].map(json),
]

/** A well-formed row with one field replaced by each value, and with each field left out. */
function rowsOf(fields: Readonly<Record<string, string>>): string[] {
  const textOf = (row: Readonly<Record<string, string>>) =>
    `{${Object.entries(row)
      .map(([name, value]) => `${json(name)}:${value}`)
      .join()}}`
  const replaced = Object.keys(fields).flatMap((name) => VALUES.map((value) => textOf({ ...fields, [name]: value })))
  const without = Object.keys(fields).map((left) =>
    textOf(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== left))),
  )
  return [
    "null",
    "7",
    '"a"',
    "[]",
    "{}",
    '{"unknown":1}',
    textOf({ ...fields, unknown: "null" }),
    ...without,
    ...replaced,
  ]
}

const ID = json(UUID)
const DATE = json("2026-11-14")
const FEEDS: readonly (readonly [path: string, field: string, fields: Readonly<Record<string, string>>])[] = [
  [DELIVERY, "items", { package_id: ID, impressions: "1", as_of: DATE }],
  [DELIVERY, "items", { package_id: ID, downloads: "0.5" }],
  [DELIVERY, "items", { package_id: ID, impressions: "1", downloads: "1" }],
  [CODES, "codes", { packageId: ID, code: json("A"), slug: json("a") }],
  [METRICS, "metrics", { code: json("A"), date: DATE, clicks: "1", conversions: "1", conversionValue: "1" }],
]

/** What JSON Schema can't say: days that don't exist, and decimal places, which checkers compare as binary fractions. */
const isBeyondSchemas = (row: string) =>
  /"2026-13-01|"2026-01-32|"10000-/.test(row) || /"conversionValue":(0\.0000015|-?\d+e-)/.test(row)

test.each(FEEDS)("the schema of %s says of a row what the API says: %#", async (path, field, fields) => {
  await using app = await startApp({ options: { limitIngest: 1_000 } })
  const key = await givenKey(app)
  const isValid = validatorOf((await operationOf(app, path)).requestBody)
  const rows = rowsOf(fields)
  const rejected = new Set<number>()
  for (let from = 0; from < rows.length; from += 500) {
    const body = `{"${field}":[${rows.slice(from, from + 500).join()}]}`
    const answer = (await (await post(app, body, { path, key })).json()) as Answer
    for (const { index, reason = "" } of answer.results ?? answer.errors ?? [])
      if (reason.startsWith("invalid_")) rejected.add(from + index)
  }
  const schema = rows.map((row) => isBeyondSchemas(row) || isValid({ [field]: [JSON.parse(row)] }))
  const differing = rows.filter((row, i) => !isBeyondSchemas(row) && schema[i] === rejected.has(i))
  expect(differing).toEqual([])
  expect(rejected.size).toBeGreaterThan(50)
})

interface Answer {
  readonly results?: readonly { readonly index: number; readonly reason?: string }[]
  readonly errors?: readonly { readonly index: number; readonly reason?: string }[]
}
