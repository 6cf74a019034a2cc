import { resolve, type Schema, sampleOf } from "./largest.ts"

// Every place of a request, however deep, by the official schemas: so that each can be set to something odd by itself.

export interface Place {
  /** Such as `filters.countries[0]`. */
  readonly where: string
  readonly schema: Schema
  /** The whole request with this value at the place, and nothing beside it that need not be there. */
  readonly put: (value: unknown) => unknown
  /** The whole request without it; undefined where it must be there. */
  readonly without: unknown
}

const DEPTH_MAX = 5

/** The places inside a schema. `put` puts a value of this schema into the whole. */
export function* placesIn(given: Schema, put: Place["put"], where = "", depth = 0): Generator<Place> {
  if (depth > DEPTH_MAX) return
  for (const schema of shapesOf(given)) {
    if (schema.items !== undefined && schema["type"] === "array") {
      yield* placesIn(schema.items, (value) => put([value]), `${where}[0]`, depth + 1)
    }
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const beside = smallestObject(schema, name)
      const putField = (value: unknown) => put({ ...beside, [name]: value })
      const place = where === "" ? name : `${where}.${name}`
      const isRequired = schema.required?.includes(name)
      yield { where: place, schema: field, put: putField, without: isRequired ? undefined : put(beside) }
      yield* placesIn(field, putField, place, depth + 1)
    }
  }
}

/** The smallest value that fits a schema. */
export function smallest(given: Schema): unknown {
  const [schema = {}] = shapesOf(given)
  if (schema["const"] !== undefined) return schema["const"]
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema["type"] === "array") {
    const item = schema.items === undefined ? "x" : smallest(schema.items)
    return Array.from({ length: Number(schema["minItems"] ?? 0) }, () => item)
  }
  if (schema["type"] === "string") return sampleOf(schema) ?? "x".repeat(Number(schema["minLength"] ?? 1))
  if (schema["type"] === "integer" || schema["type"] === "number")
    return schema["minimum"] ?? Number(schema["exclusiveMinimum"] ?? 0) + 1
  return schema["type"] === "boolean" ? false : smallestObject(schema)
}

/** The fields that must be there, and those that must stand beside `name`, which is left out itself. */
function smallestObject(schema: Schema, name?: string): Record<string, unknown> {
  const dependencies = (schema["dependencies"] ?? {}) as Record<string, string[]>
  const needed = [...(schema.required ?? []), ...(dependencies[name ?? ""] ?? [])]
  const fields = needed
    .filter((each) => each !== name)
    .map((each) => [each, smallest(schema.properties?.[each] ?? {})] as const)
  return Object.fromEntries(fields)
}

/** A schema once for each of its variants, with the fields and rules that apply to all of them. */
function shapesOf(given: Schema): Schema[] {
  const { oneOf, anyOf, ...schema } = resolve(given)
  const variants = oneOf ?? anyOf
  if (variants === undefined) return [schema]
  return variants.flatMap(shapesOf).map((variant) => ({
    ...schema,
    ...variant,
    properties: { ...schema.properties, ...variant.properties },
    required: [...(schema.required ?? []), ...(variant.required ?? [])],
  }))
}
