import type { Static, TSchema } from "@sinclair/typebox"
import { TypeCompiler } from "@sinclair/typebox/compiler"
import { Value } from "@sinclair/typebox/value"
import { findProblems } from "./explain.ts"

/** One thing wrong with a value: where, as a JSON pointer, and what, as the rest of a sentence that begins with its name. */
export interface Complaint {
  readonly pointer: string
  readonly message: string
}

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly complaints: readonly Complaint[] }

// To compile a large schema takes as long as some hundred checks without that.
const USES_BEFORE_COMPILING = 300

/** A check against a schema, compiled when it is used often. Looking for every complaint costs only when there is one. */
export function checkFor<Schema extends TSchema>(schema: Schema): (value: unknown) => Checked<Static<Schema>> {
  let uses = 0
  let check = (value: unknown): value is Static<Schema> => Value.Check(schema, value)
  return (value) => {
    if (++uses === USES_BEFORE_COMPILING) {
      const compiled = TypeCompiler.Compile(schema)
      check = (value): value is Static<Schema> => compiled.Check(value)
    }
    return check(value) ? { ok: true, value } : { ok: false, complaints: findProblems(schema, value) }
  }
}
