import type { CreativeFormat, Dimensions } from "../schema/format/creative-format.ts"

/** A format in one line, for hosts that read only text: id, name, sizes. */
export function formatLine(format: CreativeFormat): string {
  const { format_id, name } = format
  const sizes = sizesOf(format)
  return `${format_id.id}: ${name}${sizes.length === 0 ? "" : `; ${sizes.join(" or ")}`}`
}

function sizesOf({ format_id, renders = [] }: CreativeFormat): string[] {
  const { width, height } = format_id
  if (width !== undefined) return [`${width}x${height} px`]
  const sizes = renders.map(({ dimensions }) => (dimensions === undefined ? "any size" : sizeText(dimensions)))
  return [...new Set(sizes.filter((size) => size !== ""))]
}

function sizeText(dimensions: Dimensions): string {
  const [width, height] = [sideText(dimensions, "width"), sideText(dimensions, "height")]
  if (width === "any" && height === "any") return dimensions.aspect_ratio ?? ""
  return `${width}x${height} ${dimensions.unit ?? "px"}`
}

/** "300", "200 to 400", "up to 400" or "any". */
function sideText(dimensions: Dimensions, side: "width" | "height"): string {
  const exact = dimensions[side]
  if (exact !== undefined) return String(exact)
  const [least, most] = [dimensions[`min_${side}`], dimensions[`max_${side}`]]
  if (least !== undefined) return most === undefined ? `at least ${least}` : `${least} to ${most}`
  return most === undefined ? "any" : `up to ${most}`
}
