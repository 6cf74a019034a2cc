import { type Problem, pointerToPath } from "../../schema/explain.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import type { FormatRef } from "../schema/format/format-id.ts"

/** The formats of this installation's own catalogue, by id. */
export type OwnFormats = ReadonlyMap<string, CreativeFormat>

export function ownFormats(formats: Iterable<CreativeFormat>): OwnFormats {
  return new Map([...formats].map((format) => [format.format_id.id, format]))
}

/** A reference without agent_url must be one of our formats, so that every format of a product can be looked up. */
export function checkRefs(refs: Iterable<[string, FormatRef]>, own: OwnFormats): Problem[] {
  return [...refs].flatMap(([pointer, ref]) => {
    if (ref.agent_url !== undefined) return []
    const format = own.get(ref.id)
    const place = pointerToPath(pointer)
    if (!format)
      return [{ pointer, message: `${place}: "${ref.id}" is not a format of this catalogue`, keyword: "rule" }]
    const agent = format.format_id.agent_url
    if (agent !== undefined) {
      return [
        { pointer, message: `${place}: "${ref.id}" is a format of ${agent}; add that agent_url`, keyword: "rule" },
      ]
    }
    return unacceptedParameters(ref, format).map((parameter) => ({
      pointer,
      message: `${place}: the format "${ref.id}" does not accept ${parameter}`,
      keyword: "rule",
    }))
  })
}

/** Parameters of a reference that its format does not accept. */
function unacceptedParameters(ref: FormatRef, format: CreativeFormat): string[] {
  const given = [
    ...(ref.width === undefined ? [] : (["dimensions"] as const)),
    ...(ref.duration_ms === undefined ? [] : (["duration"] as const)),
  ]
  const fixed = format.format_id
  if (fixed.width === ref.width && fixed.height === ref.height && fixed.duration_ms === ref.duration_ms) return []
  return given.filter((parameter) => !format.accepts_parameters?.includes(parameter))
}
