import type { TSchema } from "@sinclair/typebox"
import { checkFor } from "../../../../domain/schema/check.ts"
import type { Errors } from "../../form.ts"

/** What is wrong with typed values, by field: each against the schema that everybody else is held to. */
export function wrongFields(
  fields: Readonly<Record<string, readonly [schema: TSchema, label: string, typed: string]>>,
): Errors {
  const errors: Record<string, string> = {}
  for (const [name, [schema, label, typed]] of Object.entries(fields)) {
    const checked = checkFor(schema)(typed)
    if (!checked.ok) errors[name] = `${label} ${checked.complaints[0]?.message ?? "is not right"}.`
  }
  return errors
}

export const hasErrors = (errors: Errors): boolean => Object.keys(errors).length > 0
