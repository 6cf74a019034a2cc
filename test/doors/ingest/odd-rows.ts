import type { Schema } from "./published-schemas.ts"

// Rows of a feed as JSON texts, because a number may lose digits when it is parsed.

/** A field's value as JSON, or undefined where the field is left out. */
type Literal = string | undefined

const json = (value: unknown): string => JSON.stringify(value)

const OTHER_TYPES: readonly Literal[] = [undefined, "null", "true", "false", "[]", "{}", "[1]", '{"a":1}', '[""]']

const NUMBERS = [
  ..."0 -0 -0.0 0.0 1 1.0 1e3 1E+3 1.5 -1 -1e-7 0.1 0.3 199.95 0.000001 0.0000001 0.0000015 1e-6 1e-7 3e-7".split(" "),
  ..."4294967295.999999 4294967296.000001 8999999999.999999 123456789.1234567 9000000000.0000001".split(" "),
  ..."9007199254740991.5 9007199254740993 18446744073709551616 1e15 1e16 1e21 1e308 1e400 -1e400 1e-400 -1e-400".split(
    " ",
  ),
  ..."5.00000000000000000001 4.99999999999999999999 0.1000000000000000055 1000000000000000.1".split(" "),
]

const DAYS = [
  ..."2026-11-14 2024-02-29 2026-02-29 2000-02-29 1900-02-29 2100-02-29 2026-02-30 2026-04-31 2026-06-31".split(" "),
  ..."2026-09-31 2026-11-31 2026-12-31 2026-01-00 2026-00-10 2026-13-01 2026-01-32 0000-01-01 0000-02-29".split(" "),
  ..."9999-12-31 10000-01-01 2026-1-1 26-01-01 2026-11-14Z +2026-11-14 20261114 2026/11/14 -2026-11-14 yesterday".split(
    " ",
  ),
]

const TIMES = [
  ..."T00:00:00Z T23:59:59Z t12:00:00z T12:00:00+01:00 T12:00:00-00:00 T12:00:00+23:59 T12:00:00-23:59".split(" "),
  ..."T24:00:00Z T25:00:00Z T12:60:00Z T23:59:60Z T12:00:61Z T12:00:00+24:00 T12:00:00+01:60 T12:00Z".split(" "),
  ..."T12:00:00 T12:00:00+0100 T12:00:00+01 T12:00:00.Z T12:00:00.1Z T12:00:00,1Z T12:00:00.123456789012345678Z".split(
    " ",
  ),
  ..."T12:00:00ZZ T1:00:00Z T T12:00:00+1:00 T12:00:00%2B01:00 T12:00:00.5+05:30 X12:00:00Z".split(" "),
  " 12:00:00Z",
  "T12:00:00Z ",
  "T12:00:00Z\n",
]

const UUID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const IDS = [
  ...[UUID, UUID.toUpperCase(), `{${UUID}}`, `urn:uuid:${UUID}`, UUID.replaceAll("-", ""), UUID.slice(1), `${UUID}0`],
  ...[`${UUID}\n`, ` ${UUID}`, UUID.replace("0", "g"), UUID.replace("-", "_"), "00000000-0000-0000-0000-000000000000"],
]

// Every kind of white space and of control character, and their neighbours that are neither.
const MARKS = [
  ..."\u0000\u0008\t\n\u000b\f\r\u001b\u001f \u0021\u007e\u007f\u0080\u0085\u009f\u00a0\u00a1\u00ad\u1680\u180e\u2000\u200a\u200b",
  ..."\u2028\u2029\u202e\u202f\u205f\u2060\u3000\ufeff\ufffd\u{1f600}\u{10ffff}",
  ...["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800", "e\u0301"],
]

export const TEXTS = [
  ...["", "a", "a b", "123", "null", "ä", "😀", "__proto__", "constructor", "a".repeat(1_000)],
  ...MARKS.flatMap((mark) => [mark, `${mark}a`, `a${mark}`, `a${mark}a`]),
  ...IDS,
  ...DAYS,
  ...["2026-11-14", "2026-02-30"].flatMap((day) => TIMES.map((time) => day + time)),
]

function lengthsAround(max: number): string[] {
  return [max - 1, max, max + 1].flatMap((length) => [
    "x".repeat(length),
    "😀".repeat(length),
    `${"x".repeat(length - 1)} `,
  ])
}

function boundsOf({ minimum, maximum, maxLength }: Schema): string[] {
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined)
  const around = numbers.flatMap((bound) => [bound - 1, bound - 0.5, bound, bound + 0.5, bound + 1, bound + 2, -bound])
  return [...around.map(json), ...(maxLength === undefined ? [] : lengthsAround(maxLength).map(json))]
}

/** Every value that is tried in a field: those that its schema names, those around its bounds, and odd ones of every type. */
function valuesOf(schema: Schema): Literal[] {
  const named = (schema.examples ?? []).map(json)
  return [
    ...new Set([...named, ...boundsOf(schema), ...OTHER_TYPES, ...NUMBERS, ...NUMBERS.map(json), ...TEXTS.map(json)]),
  ]
}

/** One value for each thing that can be wrong or right with a field: pairs are tried with these. */
function fewValuesOf(schema: Schema): Literal[] {
  const own = [...(schema.examples ?? []).map(json), ...boundsOf(schema)]
  const texts = [
    "",
    "a",
    " a",
    "a\u0007",
    "\ud800",
    UUID,
    "2026-02-28",
    "2026-02-30",
    "2026-02-28T12:00:00Z",
    "2026-02-28T12:00:00",
  ]
  const numbers = "-1 -0 0 1 1.5 0.0000001 1e400 9007199254740993 5.00000000000000000001".split(" ")
  return [...new Set([...own, undefined, "null", "true", "[]", "{}", ...numbers, ...texts.map(json)])]
}

function textOf(fields: Readonly<Record<string, Literal>>): string {
  const given = Object.entries(fields).filter(([, literal]) => literal !== undefined)
  return `{${given.map(([name, literal]) => `${json(name)}:${literal}`).join(",")}}`
}

/** Every well-formed start: each optional field alone, all the required ones always, as the examples of the schema have them. */
function startsOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Record<string, Literal>[] {
  const example = (name: string) => [name, json(properties[name]?.examples?.[0])] as const
  const always = Object.fromEntries(required.map(example))
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return [always, ...optional.map((name) => ({ ...always, ...Object.fromEntries([example(name)]) }))]
}

const NOT_ROWS = ["null", "true", "1", "1e400", '"a"', "[]", "[{}]", "{}", '{"__proto__":{}}', '{"unknown":1}']

/** Rows with one field replaced by every odd value, and with every pair of fields replaced by a few. */
export function oddRows({
  properties = {},
  required = [],
}: Schema & { readonly required?: readonly string[] }): string[] {
  const rows = new Set(NOT_ROWS)
  const names = Object.keys(properties)
  const schemaOf = (name: string) => properties[name] ?? {}
  for (const start of startsOf(properties, required)) {
    rows.add(textOf({ ...start, unknown: '"field"', __proto: "null" }))
    for (const name of names)
      for (const value of valuesOf(schemaOf(name))) rows.add(textOf({ ...start, [name]: value }))
    for (const [i, one] of names.entries())
      for (const other of names.slice(i + 1))
        for (const value of fewValuesOf(schemaOf(one)))
          for (const second of fewValuesOf(schemaOf(other)))
            rows.add(textOf({ ...start, [one]: value, [other]: second }))
  }
  return [...rows]
}
