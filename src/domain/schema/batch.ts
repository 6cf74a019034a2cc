import { type TObject, type TSchema, Type } from "@sinclair/typebox"
import { type Failure, failure } from "../failure.ts"

/** The envelope of a feed: an object with one array of so many rows. What the rows are is not its business. */
export interface Batch {
  /** The whole shape for documentation, rows included. */
  readonly schema: TObject
  /** The rows of a body, each still of any shape, or why there are none. */
  read(body: unknown): readonly unknown[] | Failure
}

export interface BatchSize {
  readonly min: number
  readonly max: number
}

/** One bad row must not fail the request, so the envelope is read on its own. */
export function batchOf(field: string, row: TSchema, { min, max }: BatchSize): Batch {
  const bounds = min > 0 ? `${min} to ${max}` : `at most ${max}`
  return {
    schema: Type.Object({ [field]: Type.Array(row, { minItems: min, maxItems: max }) }),
    read(body) {
      const rows = isObject(body) && Object.hasOwn(body, field) ? body[field] : undefined
      if (!Array.isArray(rows))
        return failure("invalid_request", `The body must be an object with the array "${field}".`)
      if (rows.length >= min && rows.length <= max) return rows
      return failure("invalid_request", `"${field}" must have ${bounds} elements; it has ${rows.length}.`)
    },
  }
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
