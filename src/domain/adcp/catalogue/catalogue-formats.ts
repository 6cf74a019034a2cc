import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { builtInFormats } from "./built-in/index.ts"
import { type OwnFormats, ownFormats } from "./check-refs.ts"

/** The built-in formats, replaced or (null) hidden by the operator's formats with the same id. */
export function catalogueFormats(operators: ReadonlyMap<string, unknown>): OwnFormats {
  const formats = new Map<string, unknown>(ownFormats(builtInFormats))
  for (const [id, body] of operators) {
    if (body === null) formats.delete(id)
    else formats.set(id, body)
  }
  return formats as Map<string, CreativeFormat>
}
