import { type TObject, type TSchema, Type } from "@sinclair/typebox"
import { type Failure, failure } from "../failure.ts"

/** Rows are checked later, one by one: a bad one must not fail the request. */
export function batchOf(field: string, row: TSchema, { min, max }: Readonly<Record<"min" | "max", number>>) {
  const bounds = min > 0 ? `${min} to ${max}` : `at most ${max}`
  return {
    schema: Type.Object({ [field]: Type.Array(row, { minItems: min, maxItems: max }) }) as TObject,
    /** The unchecked rows of a body, or why it is refused. */
    read(body: unknown): readonly unknown[] | Failure {
      const rows = isObject(body) && Object.hasOwn(body, field) ? body[field] : undefined
      if (!Array.isArray(rows))
        return failure("invalid_request", `The body must be an object with the array "${field}".`)
      if (rows.length >= min && rows.length <= max) return rows
      return failure("invalid_request", `"${field}" must have ${bounds} elements; it has ${rows.length}.`)
    },
  }
}

/** The envelope of a feed: an object with one array of rows. It does not check the rows. */
export type Batch = ReturnType<typeof batchOf>

/** A JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
