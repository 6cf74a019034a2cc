import { explain, type Problem } from "../../schema/explain.ts"
import { CreativeFormat } from "../schema/format/creative-format.ts"
import type { FormatRef } from "../schema/format/format-id.ts"
import { checkRefs, type OwnFormats } from "./check-refs.ts"

/** Every problem of a format for our catalogue. `own` has the other formats; the format itself need not be among them. */
export function checkFormat(value: unknown, own: OwnFormats): Problem[] {
  const problems = explain(CreativeFormat, value)
  if (problems.length > 0) return problems
  const format = value as CreativeFormat
  const beside = new Map([...own, [format.format_id.id, format]])
  return [
    ...checkName(format),
    ...checkTemplate(format),
    ...checkPositions(format),
    ...checkRefs(refsOf(format), beside),
  ]
}

function checkName(format: CreativeFormat): Problem[] {
  return format.name.trim() === ""
    ? [{ pointer: "/name", message: "name must not be empty", keyword: "minLength" }]
    : []
}

/** A render can take its size from the format_id only if the format accepts dimensions. */
function checkTemplate(format: CreativeFormat): Problem[] {
  const parameters = format.accepts_parameters ?? []
  return (format.renders ?? []).flatMap((render, index) => {
    if (render.parameters_from_format_id === undefined || parameters.includes("dimensions")) return []
    const pointer = `/renders/${index}/parameters_from_format_id`
    const message = `renders[${index}] takes its size from the format_id, so accepts_parameters must include dimensions`
    return [{ pointer, message, keyword: "rule" }]
  })
}

function checkPositions(format: CreativeFormat): Problem[] {
  const positions = (format.disclosure_capabilities ?? []).map((capability) => capability.position)
  return positions.flatMap((position, index) => {
    if (positions.indexOf(position) === index) return []
    const pointer = `/disclosure_capabilities/${index}/position`
    return [{ pointer, message: `disclosure_capabilities has the position ${position} twice`, keyword: "rule" }]
  })
}

/** Every format reference of a format, with its pointer. */
export function refsOf(format: CreativeFormat): [string, FormatRef][] {
  const list = (name: "input_format_ids" | "output_format_ids") =>
    (format[name] ?? []).map((ref, at): [string, FormatRef] => [`/${name}/${at}`, ref])
  const cards = (["format_card", "format_card_detailed"] as const).flatMap((name): [string, FormatRef][] => {
    const card = format[name]
    return card ? [[`/${name}/format_id`, card.format_id]] : []
  })
  const linked = (format.canonical_parameters?.v1_format_ref ?? []).map((ref, at): [string, FormatRef] => [
    `/canonical_parameters/v1_format_ref/${at}`,
    ref,
  ])
  return [...list("input_format_ids"), ...list("output_format_ids"), ...cards, ...linked]
}
