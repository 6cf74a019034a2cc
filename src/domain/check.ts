import type { Static, TSchema } from "@sinclair/typebox"
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler"
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors"

/** One thing wrong with a value: where, as a JSON pointer, and what, as a sentence without its full stop. */
export interface Complaint {
  readonly pointer: string
  readonly message: string
}

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly complaints: readonly Complaint[] }

/** A check against a schema, compiled at its first use. Looking for every complaint costs only when there is one. */
export function checkFor<Schema extends TSchema>(schema: Schema): (value: unknown) => Checked<Static<Schema>> {
  let compiled: TypeCheck<Schema> | undefined
  return (value) => {
    compiled ??= TypeCompiler.Compile(schema)
    if (compiled.Check(value)) return { ok: true, value }
    return { ok: false, complaints: complaintsOf(compiled.Errors(value)) }
  }
}

function complaintsOf(errors: Iterable<ValueError>): Complaint[] {
  const complaints: Complaint[] = []
  // A missing property is reported once as missing and once more as being of the wrong type.
  const missing = new Set<string>()
  for (const error of errors) {
    if (error.type === ValueErrorType.ObjectRequiredProperty) missing.add(error.path)
    else if (missing.has(error.path)) continue
    complaints.push({ pointer: error.path, message: sentence(error) })
  }
  return complaints
}

/** What is wrong inside the one alternative of a union that the value means to be; nothing when that cannot be told. */
function wrongInside(error: ValueError): ValueError[] {
  const alternatives = error.errors.map((errors) => [...errors])
  const meant = alternatives.filter((found) => found.every(({ path }) => path !== error.path))
  return meant.length === 1 ? (meant[0] ?? []) : []
}

function sentence(error: ValueError): string {
  const { schema } = error
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return "is missing"
    case ValueErrorType.ObjectAdditionalProperties:
      return "is not known here"
    case ValueErrorType.String:
      return "must be a text"
    case ValueErrorType.StringPattern:
      return schema["description"] ? `must be ${asEnding(schema["description"])}` : `must match ${schema["pattern"]}`
    case ValueErrorType.StringMinLength:
      return schema["minLength"] === 1 ? "must not be empty" : `must have at least ${schema["minLength"]} characters`
    case ValueErrorType.StringMaxLength:
      return `must have at most ${schema["maxLength"]} characters`
    case ValueErrorType.Number:
      return "must be a number"
    case ValueErrorType.Integer:
      return "must be a whole number"
    case ValueErrorType.Boolean:
      return "must be true or false"
    case ValueErrorType.Object:
      return "must be an object"
    case ValueErrorType.Array:
      return "must be an array"
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${counted(schema["minItems"])}`
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${counted(schema["maxItems"])}`
    case ValueErrorType.ArrayUniqueItems:
      return "must not name the same thing twice"
    case ValueErrorType.NumberMinimum:
    case ValueErrorType.IntegerMinimum:
      return `must be at least ${schema["minimum"]}`
    case ValueErrorType.NumberMaximum:
    case ValueErrorType.IntegerMaximum:
      return `must be at most ${schema["maximum"]}`
    case ValueErrorType.NumberExclusiveMinimum:
    case ValueErrorType.IntegerExclusiveMinimum:
      return `must be more than ${schema["exclusiveMinimum"]}`
    case ValueErrorType.Literal:
      return `must be ${JSON.stringify(schema["const"])}`
    case ValueErrorType.Union:
      return unionSentence(error)
    default:
      return asEnding(error.message)
  }
}

function unionSentence(error: ValueError): string {
  const choices: unknown[] = (error.schema["anyOf"] ?? []).map((choice: TSchema) => choice["const"])
  if (choices.every((choice) => choice !== undefined)) {
    return `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`
  }
  const inside = wrongInside(error)[0]
  if (inside !== undefined) return `is not right: ${inside.path.slice(error.path.length + 1)} ${sentence(inside)}`
  return error.schema["description"]
    ? `must be ${asEnding(error.schema["description"])}`
    : "has none of the known forms"
}

function counted(count: number): string {
  return count === 1 ? "one element" : `${count} elements`
}

/** A description as the end of a sentence that has begun already. */
function asEnding(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "")
}
