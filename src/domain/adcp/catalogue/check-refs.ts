import { type Problem, pointerToPath } from "../../schema/explain.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import type { FormatRef } from "../schema/format/format-id.ts"

/** The formats of this installation's own catalogue, by id. */
export type OwnFormats = ReadonlyMap<string, CreativeFormat>

export function ownFormats(formats: Iterable<CreativeFormat>): OwnFormats {
  return new Map([...formats].map((format) => [format.format_id.id, format]))
}

/** A reference without agent_url must name a format of our own, so that whatever a product shows can be looked up. */
export function checkRefs(refs: Iterable<[string, FormatRef]>, own: OwnFormats): Problem[] {
  return [...refs].flatMap(([pointer, ref]) => {
    if (ref.agent_url !== undefined) return []
    const format = own.get(ref.id)
    const place = pointerToPath(pointer)
    if (!format) return [{ pointer, message: `${place}: "${ref.id}" is no format of this catalogue`, keyword: "rule" }]
    const agent = format.format_id.agent_url
    if (agent !== undefined) {
      return [
        { pointer, message: `${place}: "${ref.id}" is a format of ${agent}; name that agent_url`, keyword: "rule" },
      ]
    }
    return missingParameters(ref, format).map((parameter) => ({
      pointer,
      message: `${place}: the format "${ref.id}" takes no ${parameter}`,
      keyword: "rule",
    }))
  })
}

/** The parameters that a reference carries and its format does not take. */
function missingParameters(ref: FormatRef, format: CreativeFormat): string[] {
  const given = [
    ...(ref.width === undefined ? [] : (["dimensions"] as const)),
    ...(ref.duration_ms === undefined ? [] : (["duration"] as const)),
  ]
  const fixed = format.format_id
  if (fixed.width === ref.width && fixed.height === ref.height && fixed.duration_ms === ref.duration_ms) return []
  return given.filter((parameter) => !format.accepts_parameters?.includes(parameter))
}
