import type { Static, TSchema } from "@sinclair/typebox"
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler"
import { findProblems } from "./explain.ts"

/** One thing wrong with a value: where, as a JSON pointer, and what, as the rest of a sentence that begins with its name. */
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
    return { ok: false, complaints: findProblems(schema, value) }
  }
}
