import type { TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { isObject } from "./batch.ts"
import { type Problem, pointerToPath } from "./explain.ts"

/**
 * Fields of a valid value that its schema does not name, at every depth: they would be stored unchecked. An object without named fields
 * may hold anything. What `unsupported` marks in a schema is taken as it is stored, and refused when it is saved.
 */
export function unsupportedFields(schema: TSchema, value: unknown): Problem[] {
  return unnamedIn(schema, value, "").map((pointer) => ({
    pointer,
    message: `${pointerToPath(pointer)} is not supported by this version`,
    keyword: "additionalProperties",
  }))
}

function unnamedIn(schema: TSchema, value: unknown, pointer: string): string[] {
  if (!isSupported(schema)) return [pointer]
  // The first part is the shape; the others are rules.
  if (schema["allOf"]) return unnamedIn(schema["allOf"][0], value, pointer)
  if (schema["anyOf"]) return unnamedInUnion(schema["anyOf"], value, pointer)
  if (Array.isArray(value) && schema["items"])
    return value.flatMap((each, at) => unnamedIn(schema["items"], each, `${pointer}/${at}`))
  if (!isObject(value) || Object.keys(schema["properties"] ?? {}).length === 0) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
    const named = Object.hasOwn(schema["properties"], name)
      ? schema["properties"][name]
      : schema["additionalProperties"]
    return isObject(named) ? unnamedIn(named as unknown as TSchema, field, at) : [at]
  })
}

/** By the variant that leaves least unnamed. A value that fits none is told by what is wrong with it. */
function unnamedInUnion(variants: readonly TSchema[], value: unknown, pointer: string): string[] {
  const fitting = variants.filter((variant) => Value.Check(variant, value))
  const supported = fitting.filter(isSupported)
  const unnamed = (supported.length > 0 ? supported : fitting).map((variant) => unnamedIn(variant, value, pointer))
  return unnamed.sort((a, b) => a.length - b.length)[0] ?? []
}

/** The schema with that rule in it, for programs that know JSON Schema alone: it refuses every field that `unsupportedFields` names. */
export function onlyNamed<Schema extends TSchema>(schema: Schema): Schema {
  if (schema["allOf"]) {
    const [shape, ...rules] = schema["allOf"]
    return { ...schema, allOf: [onlyNamed(shape), ...rules] }
  }
  if (schema["anyOf"]) return { ...schema, anyOf: schema["anyOf"].filter(isSupported).map(onlyNamed) }
  if (schema["items"]) return { ...schema, items: onlyNamed(schema["items"]) }
  const fields = Object.entries<TSchema>(schema["properties"] ?? {})
  if (fields.length === 0) return schema
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, onlyNamed(field)]))
  return { additionalProperties: false, ...schema, properties }
}

const isSupported = (schema: TSchema) => schema["unsupported"] !== true
