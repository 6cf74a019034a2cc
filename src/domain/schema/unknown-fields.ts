import type { TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { nearestWord } from "../text.ts"
import { childPointer, isObject, type Problem } from "./explain.ts"

/**
 * The fields of a valid value that its schema doesn't name, at every depth, because they would be stored unchecked.
 * An object without named fields may hold anything.
 */
export const unknownFields = (schema: TSchema, value: unknown): Problem[] => unnamedIn(schema, value, "")

function unnamedIn(schema: TSchema, value: unknown, pointer: string): Problem[] {
  // The first part is the shape, and the others are rules.
  if (schema["allOf"]) return unnamedIn(schema["allOf"][0], value, pointer)
  if (schema["anyOf"]) return unnamedInUnion(schema["anyOf"], value, pointer)
  if (Array.isArray(value) && schema["items"])
    return value.flatMap((item, i) => unnamedIn(schema["items"], item, childPointer(pointer, i)))
  const properties: Record<string, TSchema> = schema["properties"] ?? {}
  if (!isObject(value) || Object.keys(properties).length === 0) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const at = childPointer(pointer, name)
    const named = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"]
    if (isObject(named)) return unnamedIn(named as unknown as TSchema, field, at)
    return [{ pointer: at, message: messageAbout(name, Object.keys(properties)), keyword: "additionalProperties" }]
  })
}

function messageAbout(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known)
  return `Unknown field "${name}".${nearest === null ? "" : ` Did you mean "${nearest}"?`}`
}

/** By the variant that leaves the fewest fields unnamed. `explain` names what is wrong with a value that fits none. */
function unnamedInUnion(variants: readonly TSchema[], value: unknown, pointer: string): Problem[] {
  const fitting = variants.filter((variant) => Value.Check(variant, value))
  const unnamed = fitting.map((variant) => unnamedIn(variant, value, pointer))
  return unnamed.toSorted((a, b) => a.length - b.length)[0] ?? []
}
