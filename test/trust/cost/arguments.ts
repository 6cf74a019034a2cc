import { Kind, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { lists } from "./texts.ts"

// Made from the schema of a tool: every place where a caller can send a text, or many of something.

/** Arguments with a text in one place. */
export interface TextPlace {
  readonly name: string
  readonly of: (text: string) => unknown
}

/** Arguments with n of something in one place. */
export interface ManyPlace {
  readonly name: string
  readonly of: (n: number) => unknown
}

export interface Places {
  readonly texts: TextPlace[]
  readonly many: ManyPlace[]
}

type Wrap = (value: unknown) => unknown

export function placesIn(schema: TSchema): Places {
  const places: Places = { texts: [], many: [] }
  walk(schema, "arguments", (value) => value, places)
  return places
}

function walk(schema: TSchema, name: string, wrap: Wrap, places: Places): void {
  for (const part of schema["anyOf"] ?? schema["allOf"]?.slice(0, 1) ?? []) walk(part, name, wrap, places)
  if (schema[Kind] === "Object") walkObject(schema, name, wrap, places)
  else if (schema[Kind] === "Array") walkArray(schema, name, wrap, places)
  else if (schema[Kind] === "String") places.texts.push({ name, of: wrap })
}

function walkObject(schema: TSchema, name: string, wrap: Wrap, places: Places): void {
  const needed = sampleOf(schema, 0) as object
  for (const [field, part] of Object.entries<TSchema>(schema["properties"] ?? {})) {
    walk(part, `${name}.${field}`, (value) => wrap({ ...needed, [field]: value }), places)
  }
  const many = (n: number) => Object.fromEntries(lists.different(n, (i) => [`k${i}`, true]))
  places.many.push({ name: `${name}: fields`, of: (n) => wrap({ ...needed, ...many(n) }) })
  places.texts.push({ name: `${name}: name of a field`, of: (text) => wrap({ ...needed, [text]: 1 }) })
}

function walkArray({ items }: TSchema, name: string, wrap: Wrap, places: Places): void {
  for (const [how, list] of Object.entries(lists)) {
    places.many.push({ name: `${name}: ${how}`, of: (n) => wrap(list(n, (i) => sampleOf(items, i))) })
  }
  walk(items, `${name}[]`, (value) => wrap([value]), places)
}

const TRIED = (i: number) => [
  `x${i}`,
  `x${i}.example`,
  `https://x${i}.example/`,
  String.fromCharCode(65 + (i % 26), 65 + ((i / 26) % 26)),
  "EUR",
  `DE-${i}`,
  "2026-11-15",
  "3.1",
]

/** A valid value, different ones for different numbers where there are so many. */
function sampleOf(schema: TSchema, i: number): unknown {
  const [variant] = schema["anyOf"] ?? schema["allOf"] ?? []
  if (variant !== undefined) return sampleOf(variant, i)
  if ("const" in schema) return schema["const"]
  if ("enum" in schema) return schema["enum"][i % schema["enum"].length]
  if (schema[Kind] === "Object") {
    const needed: string[] = schema["required"] ?? []
    return Object.fromEntries(needed.map((name) => [name, sampleOf(schema["properties"][name], i)]))
  }
  if (schema[Kind] === "Array") return [sampleOf(schema["items"], i)]
  if (schema[Kind] === "String") return TRIED(i).find((text) => Value.Check(schema, text))
  return schema[Kind] === "Boolean" ? true : (schema["minimum"] ?? 0)
}
