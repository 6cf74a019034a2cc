import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { builtInFormats } from "./built-in/index.ts"
import { type OwnFormats, ownFormats } from "./check-refs.ts"

/** The formats of the installation: the built-in ones, with the operator's replacing or (null) hiding those of the same id. */
export function catalogueFormats(operators: ReadonlyMap<string, unknown>): OwnFormats {
  const formats = new Map<string, unknown>(ownFormats(builtInFormats))
  for (const [id, body] of operators) {
    if (body === null) formats.delete(id)
    else formats.set(id, body)
  }
  return formats as Map<string, CreativeFormat>
}
