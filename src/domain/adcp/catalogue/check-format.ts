import { Value } from "@sinclair/typebox/value"
import { explain } from "../../schema/explain.ts"
import type { Problem } from "../../schema/problem.ts"
import { unknownFields } from "../../schema/unknown-fields.ts"
import { CreativeFormat } from "../schema/creative-format.ts"
import { checkRefs, type OwnFormats, refsOfFormat } from "./references.ts"

/** Everything that is wrong with a format. `own` has the other formats of this server. */
export function checkFormat(value: unknown, own: OwnFormats): Problem[] {
  const problems = [...explain(CreativeFormat, value), ...unknownFields(CreativeFormat, value)]
  if (problems.length > 0) return problems
  const format = value as CreativeFormat
  const withItself = new Map([...own, [format.format_id.id, format]])
  return [
    ...checkName(format),
    ...checkTemplate(format),
    ...checkPositions(format),
    ...checkRefs(refsOfFormat(format), withItself),
  ]
}

export const isValidFormat = (value: unknown): value is CreativeFormat => Value.Check(CreativeFormat, value)

const checkName = ({ name }: CreativeFormat): Problem[] =>
  name.trim() === "" ? [{ pointer: "/name", message: "name must not be empty", keyword: "minLength" }] : []

/** A render can take its size from the format_id only if the format accepts dimensions. */
function checkTemplate({ renders = [], accepts_parameters: parameters = [] }: CreativeFormat): Problem[] {
  return renders.flatMap((render, i) => {
    if (render.parameters_from_format_id === undefined || parameters.includes("dimensions")) return []
    const message = `renders[${i}] takes its size from the format_id, so accepts_parameters must include dimensions`
    return [{ pointer: `/renders/${i}/parameters_from_format_id`, message, keyword: "rule" }]
  })
}

function checkPositions({ disclosure_capabilities: capabilities = [] }: CreativeFormat): Problem[] {
  const positions = capabilities.map(({ position }) => position)
  return positions.flatMap((position, i) => {
    if (positions.indexOf(position) === i) return []
    const message = `disclosure_capabilities has the position ${position} twice`
    return [{ pointer: `/disclosure_capabilities/${i}/position`, message, keyword: "rule" }]
  })
}
