import { Value } from "@sinclair/typebox/value"
import { explain, type Problem } from "../../schema/explain.ts"
import { unknownFields } from "../../schema/unknown-fields.ts"
import { CreativeFormat } from "../schema/creative-format.ts"
import type { Product } from "../schema/product.ts"
import { withOperatorFormats } from "./built-in/index.ts"
import { checkRefs, type OwnFormats, type PlacedRef, refsOfFormat, refsOfProduct } from "./format-names.ts"

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

/** The operator's products and formats, by ID. A format that is null hides the built-in one. */
export interface StoredCatalogue {
  readonly products: ReadonlyMap<string, Product>
  readonly formats: ReadonlyMap<string, CreativeFormat | null>
}

/** A reference to a format that is missing, or that doesn't take its parameters. */
interface BrokenRef {
  readonly formatId: string
  readonly message: string
}

/** The references that break if the catalog becomes this one. */
export function brokenRefs({ products, formats }: StoredCatalogue): BrokenRef[] {
  const own = withOperatorFormats(formats)
  const brokenIn = (holder: string, refs: readonly PlacedRef[]): BrokenRef[] =>
    refs.flatMap(([pointer, ref]) =>
      checkRefs([[pointer, ref]], own).length === 0
        ? []
        : [{ formatId: ref.id, message: `is in use: ${holder} refers to the format "${ref.id}"` }],
    )
  return [
    ...[...products].flatMap(([id, product]) => brokenIn(`the product "${id}"`, refsOfProduct(product))),
    ...[...own].flatMap(([id, format]) => brokenIn(`the format "${id}"`, refsOfFormat(format))),
  ]
}

/** Why a format can't be changed, replaced or removed like this. */
export const brokenProblems = (after: StoredCatalogue): Problem[] =>
  brokenRefs(after).map(({ message }) => ({ pointer: "", message, keyword: "rule" }))
