// Values made from a JSON Schema, right and wrong. TypeBox schemas are JSON Schema, and those of the protocol engine can be written as it.

export interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema | boolean
  readonly minimum?: number
  readonly pattern?: string
}

const DEPTH_MAX = 8

/** A value with everything that the schema names in it, optional parts too. Patterns are not solved. */
export function sampleOf(schema: JsonSchema, root = schema, depth = 0): unknown {
  const { $ref, anyOf, oneOf, allOf, examples, enum: words } = schema
  if (depth > DEPTH_MAX) return {}
  if ($ref !== undefined) return sampleOf(root.$defs?.[$ref.split("/").at(-1) ?? ""] ?? {}, root, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (words !== undefined) return words[0]
  if (examples?.[0] !== undefined) return examples[0]
  const [first] = anyOf ?? oneOf ?? []
  if (first !== undefined) return sampleOf(first, root, depth + 1)
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => sampleOf(part, root, depth + 1)))
  return sampleOfType(schema, root, depth)
}

function sampleOfType(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0]
  switch (type) {
    case "string":
      return "x"
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1)
    case "boolean":
      return true
    case "null":
      return null
    case "array":
      return typeof schema.items === "object" ? [sampleOf(schema.items, root, depth + 1)] : []
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sampleOf(field, root, depth + 1)]),
      )
  }
}

/** One for each type of JSON, and one that is a whole number to some and not to others. */
const WRONG: readonly unknown[] = [null, true, 5, -1.5, "", [], [null], {}, { x: 1 }]

/** The same value again and again, each time with one part of it wrong, missing or too much: every part, at every depth. */
export function* wrongOnes(value: unknown): Generator<unknown> {
  for (const wrong of WRONG) if (JSON.stringify(wrong) !== JSON.stringify(value)) yield wrong
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const wrong of wrongOnes(item)) yield value.with(at, wrong)
    yield [...value, ...value]
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>
      yield rest
      for (const wrong of wrongOnes(field)) yield { ...value, [name]: wrong }
    }
    yield { ...value, "unknown field": 1 }
  }
}
