import { Kind, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import fc, { type Arbitrary } from "fast-check"

// Turns one of our schemas into a generator of values that fit it, for the comparison with the official schemas.

const makers: Record<string, (schema: TSchema) => Arbitrary<unknown>> = {
  Object: objectFrom,
  Array: (schema) => arrayFrom(schema),
  Union: (schema) => fc.oneof(...schema["anyOf"].map(arbitraryOf)),
  Ruled: (schema) => arbitraryOf(schema["shape"]).filter((value) => Value.Check(schema, value)),
  Literal: (schema) => fc.constant(schema["const"]),
  Choice: (schema) => fc.constantFrom(...schema["enum"]),
  String: stringFrom,
  Integer: (schema) => fc.integer({ min: schema["minimum"] ?? -1000, max: schema["maximum"] ?? 5000 }),
  Number: numberFrom,
  Boolean: () => fc.boolean(),
  Null: () => fc.constant(null),
  Unknown: () => fc.jsonValue(),
}

const made = new WeakMap<TSchema, Arbitrary<unknown>>()

export function arbitraryOf(schema: TSchema): Arbitrary<unknown> {
  const known = made.get(schema) ?? build(schema)
  made.set(schema, known)
  return known
}

function build(schema: TSchema): Arbitrary<unknown> {
  const make = makers[schema[Kind]]
  if (!make) throw new Error(`no generator for ${schema[Kind]}`)
  return make(schema)
}

function objectFrom(schema: TSchema): Arbitrary<unknown> {
  const fields = Object.entries<TSchema>(schema["properties"] ?? {})
  const required: string[] = schema["required"] ?? []
  const optionalNames = fields.map(([name]) => name).filter((name) => !required.includes(name))
  // A few optional fields at a time, built only when chosen: all of them at once would be a huge value.
  return fc
    .subarray(optionalNames, { maxLength: Math.min(4, optionalNames.length), minLength: schema["minProperties"] ?? 0 })
    .chain((chosen) => {
      const kept = fields.filter(([name]) => required.includes(name) || chosen.includes(name))
      return fc.record(Object.fromEntries(kept.map(([name, field]) => [name, arbitraryOf(field)])), {
        noNullPrototype: true,
      })
    })
}

function arrayFrom(schema: TSchema): Arbitrary<unknown> {
  const minLength = schema["minItems"] ?? 0
  return fc
    .array(arbitraryOf(schema["items"]), { minLength, maxLength: schema["maxItems"] ?? minLength + 2 })
    .filter((value) => Value.Check(schema, value))
}

function stringFrom(schema: TSchema): Arbitrary<unknown> {
  if (schema["pattern"]) {
    const text = fc.stringMatching(new RegExp(schema["pattern"]), { maxLength: schema["maxLength"] ?? 80 })
    return text
  }
  return fc.string({ minLength: schema["minLength"] ?? 0, maxLength: Math.min(schema["maxLength"] ?? 30, 30) })
}

function numberFrom(schema: TSchema): Arbitrary<unknown> {
  return fc.double({
    min: schema["minimum"] ?? schema["exclusiveMinimum"] ?? -1000,
    max: schema["maximum"] ?? schema["exclusiveMaximum"] ?? 100_000,
    minExcluded: schema["exclusiveMinimum"] !== undefined,
    maxExcluded: schema["exclusiveMaximum"] !== undefined,
    noNaN: true,
    noDefaultInfinity: true,
  })
}
