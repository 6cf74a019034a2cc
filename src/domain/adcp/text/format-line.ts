import type { CreativeFormat, Dimensions } from "../schema/format/creative-format.ts"

/** A format in one line, for hosts that read only text: id, name, sizes. */
export function formatLine(format: CreativeFormat): string {
  const { format_id, name } = format
  const sizes = sizesOf(format)
  return `${format_id.id}: ${name}${sizes.length === 0 ? "" : `; ${sizes.join(" or ")}`}`
}

/** "300x250 px", "16:9"; empty where it has no size. */
export function sizesOf({ format_id, renders = [] }: CreativeFormat): string[] {
  const { width, height } = format_id
  if (width !== undefined) return [`${width}x${height} px`]
  const sizes = renders.map(({ dimensions }) => (dimensions === undefined ? "any size" : sizeText(dimensions)))
  return [...new Set(sizes.filter((size) => size !== ""))]
}

function sizeText({ width, height, unit = "px", aspect_ratio = "", ...bounds }: Dimensions): string {
  if (width !== undefined && height !== undefined) return `${width}x${height} ${unit}`
  const { min_width, min_height, max_width, max_height } = bounds
  const wide = sideText(width, min_width, max_width)
  const high = sideText(height, min_height, max_height)
  return wide === "any" && high === "any" ? aspect_ratio : `width ${wide}, height ${high} ${unit}`
}

/** "300", "200 to 400", "from 200", "up to 400" or "any". */
function sideText(exact: number | undefined, least: number | undefined, most: number | undefined): string {
  if (exact !== undefined) return String(exact)
  if (least !== undefined) return most === undefined ? `from ${least}` : `${least} to ${most}`
  return most === undefined ? "any" : `up to ${most}`
}
