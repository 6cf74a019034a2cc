import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { canonicalUrl, type FormatRef } from "../schema/format/format-id.ts"
import type { ListCreativeFormatsInput } from "../tools/input.ts"

/** An id without size or length matches every size and length, on either side. */
export function namesSameFormat(a: FormatRef, b: FormatRef, agentUrl: string): boolean {
  if (a.id !== b.id || canonicalUrl(a.agent_url ?? agentUrl) !== canonicalUrl(b.agent_url ?? agentUrl)) return false
  const sameSize = a.width === undefined || b.width === undefined || (a.width === b.width && a.height === b.height)
  const sameLength = a.duration_ms === undefined || b.duration_ms === undefined || a.duration_ms === b.duration_ms
  return sameSize && sameLength
}

type Input = ListCreativeFormatsInput
type Asset = NonNullable<CreativeFormat["assets"]>[number]
type Render = NonNullable<CreativeFormat["renders"]>[number]

export const fitsFilters = (format: CreativeFormat, input: Input, agentUrl: string): boolean =>
  (input.type === undefined || broadKind(format) === input.type) &&
  (input.asset_types === undefined || madeOf(format, input.asset_types)) &&
  (!asksSize(input) || (format.renders ?? []).some((render) => fitsSize(render, input))) &&
  (input.is_responsive === undefined || isResponsive(format) === input.is_responsive) &&
  (input.name_search === undefined || format.name.toLowerCase().includes(input.name_search.toLowerCase())) &&
  (input.wcag_level === undefined || meetsLevel(format, input.wcag_level)) &&
  showsDisclosures(format, input) &&
  namesAny(format.output_format_ids, input.output_format_ids, agentUrl) &&
  namesAny(format.input_format_ids, input.input_format_ids, agentUrl)

/** The broad kind that older clients filter by; formats no longer have it. */
function broadKind(format: CreativeFormat): NonNullable<Input["type"]> {
  if (format.format_id.id.startsWith("dooh_") || format.reported_metrics?.includes("plays")) return "dooh"
  const kind = format.canonical?.kind ?? ""
  if (kind.startsWith("video_")) return "video"
  return kind.startsWith("audio_") ? "audio" : "display"
}

function madeOf(format: CreativeFormat, types: readonly string[]): boolean {
  const parts = (asset: Asset): { asset_type: string }[] =>
    asset.item_type === "repeatable_group" ? asset.assets : [asset]
  return (format.assets ?? []).flatMap(parts).some((asset) => types.includes(asset.asset_type))
}

const SIDES = ["width", "height"] as const

const asksSize = (input: Input) =>
  SIDES.some((side) => input[`min_${side}`] !== undefined || input[`max_${side}`] !== undefined)

/** A render without dimensions of its own fits any size. */
function fitsSize({ dimensions }: Render, input: Input): boolean {
  if (dimensions === undefined) return true
  if (dimensions.unit !== undefined && dimensions.unit !== "px" && dimensions.unit !== "dp") return false
  return SIDES.every((side) => {
    const { [side]: exact, [`min_${side}` as const]: low = 0, [`max_${side}` as const]: high = ANY } = dimensions
    const { [`min_${side}` as const]: least = 0, [`max_${side}` as const]: most = ANY } = input
    return (exact ?? high) >= least && (exact ?? low) <= most
  })
}

const ANY = Number.POSITIVE_INFINITY

const isResponsive = (format: CreativeFormat): boolean =>
  (format.renders ?? []).some(({ dimensions }) => dimensions?.responsive?.width || dimensions?.responsive?.height)

const levels = ["A", "AA", "AAA"]

const meetsLevel = (format: CreativeFormat, level: string): boolean =>
  levels.indexOf(format.accessibility?.wcag_level ?? "") >= levels.indexOf(level)

function showsDisclosures(format: CreativeFormat, { disclosure_positions = [], disclosure_persistence = [] }: Input) {
  const capabilities = format.disclosure_capabilities ?? []
  const positions: string[] = format.disclosure_capabilities
    ? capabilities.map(({ position }) => position)
    : (format.supported_disclosure_positions ?? [])
  const modes: string[] = capabilities.flatMap(({ persistence }) => persistence)
  return (
    disclosure_positions.every((position) => positions.includes(position)) &&
    disclosure_persistence.every((mode) => modes.includes(mode))
  )
}

function namesAny(named: FormatRef[] | undefined, refs: readonly FormatRef[] | undefined, agentUrl: string): boolean {
  if (refs === undefined) return true
  return (named ?? []).some((ref) => refs.some((each) => namesSameFormat(ref, each, agentUrl)))
}
