import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { findProblems } from "./explain.ts"

/** A problem with a value: its JSON pointer, and the rest of a sentence that starts with the field's name. */
export interface SchemaProblem {
  readonly pointer: string
  readonly message: string
}

type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }

// Compiling a large schema takes as long as a few hundred interpreted checks.
const USES_BEFORE_COMPILING = 300

/** A check against a schema, compiled once it is used often. Complaints are collected only for an invalid value. */
export function checkFor<Schema extends TSchema>(schema: Schema): (value: unknown) => Checked<Static<Schema>> {
  let uses = 0
  let check = (value: unknown): value is Static<Schema> => Value.Check(schema, value)

  // Loaded only here: most commands check little.
  async function compile(): Promise<void> {
    const { TypeCompiler } = await import("@sinclair/typebox/compiler")
    const compiled = TypeCompiler.Compile(schema)
    check = (value): value is Static<Schema> => compiled.Check(value)
  }

  return (value) => {
    // One that cannot be compiled goes on as it is.
    if (++uses === USES_BEFORE_COMPILING) compile().catch(() => undefined)
    return check(value) ? { ok: true, value } : { ok: false, problems: findProblems(schema, value) }
  }
}

/** Reads what was stored as JSON; null where nothing was, and where an older version wrote it in another form. */
export function storedAs<Schema extends TSchema>(schema: Schema): (stored: string | null) => Static<Schema> | null {
  const check = checkFor(schema)
  return (stored) => {
    const checked = stored ? check(JSON.parse(stored)) : null
    return checked?.ok ? checked.value : null
  }
}
