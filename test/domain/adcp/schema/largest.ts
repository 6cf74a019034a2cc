import { officialComplaints, officialSchema } from "./official.ts"

// Requests made from the official schemas themselves: every argument at its largest.

export type Schema = Record<string, unknown> & {
  readonly $ref?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

// Where the schema sets no limit: more than anybody sends, and within the limits that docs/buyers.md names.
const ENTRIES = 100
const CHARACTERS = 20_000

/** A schema with what it refers to and is composed of. */
export function resolve(schema: Schema): Schema {
  const target = schema.$ref === undefined ? schema : resolve(officialSchema(schema.$ref) as Schema)
  const parts = (target.allOf ?? []).map(resolve)
  return {
    ...target,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), target.properties),
    required: [...parts, target].flatMap(({ required = [] }) => required),
  }
}

/** The largest value of a schema; undefined where none can be made of it. */
export function largest(given: Schema, depth = 0): unknown {
  const schema = resolve(given)
  if (schema["const"] !== undefined) return schema["const"]
  if (schema.enum !== undefined) return schema.enum.at(-1)
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return largestVariant(schema, variants, depth)
  if (schema["type"] === "array") return listOf(schema, depth)
  if (schema["type"] === "object" || Object.keys(schema.properties ?? {}).length > 0) return objectOf(schema, depth)
  if (schema["type"] === "string") return textOf(schema)
  if (schema["type"] === "integer") return schema["maximum"] ?? Number.MAX_SAFE_INTEGER
  if (schema["type"] === "number") return schema["maximum"] ?? Number.MAX_VALUE
  return schema["type"] === "boolean" ? true : undefined
}

/** Variants are whole shapes, or rules about the fields beside them. */
function largestVariant(schema: Schema, variants: readonly Schema[], depth: number): unknown {
  const isRule = Object.keys(schema.properties ?? {}).length > 0
  return isRule ? objectOf(schema, depth) : largest(variants.at(-1) ?? {}, depth)
}

/** All fields; deep inside only those that must be. */
function objectOf({ properties = {}, ...schema }: Schema, depth: number): object {
  const kept = Object.entries(properties).filter(([name]) => depth < 3 || schema.required?.includes(name))
  const fields = kept.map(([name, field]) => [name, largest(field, depth + 1)])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function listOf({ items = {}, ...schema }: Schema, depth: number): unknown[] {
  const words = resolve(items).enum
  const most = Number(schema["maxItems"] ?? ENTRIES)
  if (words !== undefined) return words.slice(0, most)
  const item = largest(items, depth + 1)
  return schema["uniqueItems"] ? [item] : Array.from({ length: Math.min(most, ENTRIES) }, () => item)
}

const samples = ["DE", "EUR", "DE-BE", "abc", "a_b", "abc.example", "3.1", "sha256:0", "2026-12-01"]

function textOf(schema: Schema): string | undefined {
  const length = Number(schema["maxLength"] ?? CHARACTERS)
  if (schema["format"] === undefined && typeof schema["pattern"] !== "string") return "x".repeat(length)
  const long = "a".repeat(Math.min(length, 200))
  return typeof schema["pattern"] === "string" && new RegExp(schema["pattern"]).test(long) ? long : sampleOf(schema)
}

/** A text in the format or after the pattern of a schema; undefined where it has neither, or none is known. */
export function sampleOf(schema: Schema): string | undefined {
  const format = {
    date: "2099-12-31",
    "date-time": "2099-12-31T23:59:59Z",
    uri: "https://a.example/",
    email: "a@a.example",
  }[String(schema["format"])]
  if (format !== undefined) return format
  const pattern = schema["pattern"]
  return typeof pattern === "string" ? samples.find((sample) => new RegExp(pattern).test(sample)) : undefined
}

/** Whether the official schema of a request allows these arguments. */
export const isAllowed = (path: string, args: unknown) => officialComplaints(path, args).length === 0
