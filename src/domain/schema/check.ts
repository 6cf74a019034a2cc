import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { findProblems } from "./explain.ts"

/** A problem with a value: its JSON pointer, and the rest of a sentence that starts with the field's name. */
export type SchemaProblem = Readonly<{ pointer: string; message: string }>

type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }

/**
 * A check against a schema. Complaints are collected only for an invalid value. Not compiled: for a product that takes 140 ms in which
 * nobody is answered, and saves nothing.
 */
export function checkFor<Schema extends TSchema>(schema: Schema): (value: unknown) => Checked<Static<Schema>> {
  return (value) =>
    Value.Check(schema, value) ? { ok: true, value } : { ok: false, problems: findProblems(schema, value) }
}

/** Reads what was stored as JSON; null where nothing was, and where an older version wrote it in another form. */
export function storedAs<Schema extends TSchema>(schema: Schema): (stored: string | null) => Static<Schema> | null {
  const check = checkFor(schema)
  return (stored) => {
    const checked = stored ? check(JSON.parse(stored)) : null
    return checked?.ok ? checked.value : null
  }
}
