import type { OwnFormats } from "../catalogue/check.ts"
import type { CreativeFormat, Dimensions } from "../schema/format/creative-format.ts"
import { canonicalUrl, type FormatRef } from "../schema/format/format-id.ts"
import type { FormatOption } from "../schema/format/format-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { ProductFilters } from "../tools/get-products-input.ts"
import type { ListCreativeFormatsInput } from "../tools/input.ts"

export type PlacementKind =
  | "video_placement_types"
  | "audio_distribution_types"
  | "sponsored_placement_types"
  | "social_placement_surfaces"

/** Whether the product can deliver only the requested types. A mixed bundle matches only if a placement can be targeted. */
export function delivers(product: Product, kind: PlacementKind, asked: readonly string[]): boolean {
  const declared: readonly string[] = product[kind] ?? []
  const isPure = declared.length > 0 && declared.every((type) => asked.includes(type))
  return (
    isPure ||
    (product.placements ?? []).some((placement) => {
      const types: readonly string[] = placement[kind] ?? []
      return placement.mode === "targetable" && types.some((type) => asked.includes(type))
    })
  )
}

/** An id without size or length matches every size and length, on either side. */
export function namesSameFormat(a: FormatRef, b: FormatRef, agentUrl: string): boolean {
  if (a.id !== b.id || canonicalUrl(a.agent_url ?? agentUrl) !== canonicalUrl(b.agent_url ?? agentUrl)) return false
  const sameSize = a.width === undefined || b.width === undefined || (a.width === b.width && a.height === b.height)
  const sameLength = a.duration_ms === undefined || b.duration_ms === undefined || a.duration_ms === b.duration_ms
  return sameSize && sameLength
}

export function takesFormat(product: Product, asked: readonly FormatRef[], agentUrl: string): boolean {
  return (product.format_ids ?? []).some((ref) => asked.some((each) => namesSameFormat(ref, each, agentUrl)))
}

// Fixed sizes of the IAB portfolio.
const standardSizes = new Set(
  "300x250 336x280 728x90 970x90 970x250 300x600 160x600 120x600 300x50 320x50 320x100 320x480 300x1050 468x60".split(
    " ",
  ),
)

export function takesStandardFormat(product: Product, own: OwnFormats): boolean {
  const byOption = (product.format_options ?? []).some(isStandardOption)
  return byOption || (product.format_ids ?? []).some((ref) => isStandardRef(ref, own))
}

function isStandardOption(option: FormatOption): boolean {
  if (option.format_kind === "video_vast" || option.format_kind === "audio_daast") return true
  const { width, height } = option.params as { width?: number; height?: number }
  return standardSizes.has(`${width}x${height}`)
}

function isStandardRef(ref: FormatRef, own: OwnFormats): boolean {
  const size = ref.width === undefined ? own.get(ref.id)?.renders?.[0]?.dimensions : ref
  return standardSizes.has(`${size?.width}x${size?.height}`)
}

/** Whether the forecast reaches this many impressions; a product without a forecast is not excluded. */
export function reaches(product: Product, exposures: number): boolean {
  const counts = (product.forecast?.points ?? []).flatMap(({ metrics }) => {
    const impressions = metrics["impressions"]
    return impressions === undefined ? [] : [impressions.high ?? impressions.mid ?? 0]
  })
  return counts.length === 0 || counts.reduce((sum, count) => sum + count, 0) >= exposures
}

export function isAvailableFrom(product: Product, date: string): boolean {
  return product.expires_at === undefined || Date.parse(product.expires_at) >= Date.parse(`${date}T00:00:00Z`)
}

export function matchesTrusted(product: Product, asked: NonNullable<ProductFilters["trusted_match"]>): boolean {
  const offered = product.trusted_match
  if (offered === undefined) return false
  const answers = asked.response_types ?? []
  const given: readonly string[] = offered.response_types ?? ["activation"]
  if (answers.length > 0 && !answers.some((type) => given.includes(type))) return false
  return (
    asked.providers === undefined || asked.providers.some((wanted) => providerMatches(offered.providers ?? [], wanted))
  )
}

interface Provider {
  agent_url: string
  context_match?: boolean
  identity_match?: boolean
}

function providerMatches(offered: readonly Provider[], wanted: Provider): boolean {
  return offered.some(
    (provider) =>
      canonicalUrl(provider.agent_url) === canonicalUrl(wanted.agent_url) &&
      (!wanted.context_match || provider.context_match === true) &&
      (!wanted.identity_match || provider.identity_match === true),
  )
}

type Input = ListCreativeFormatsInput
type Asset = NonNullable<CreativeFormat["assets"]>[number]
type Render = NonNullable<CreativeFormat["renders"]>[number]

export function fitsFilters(format: CreativeFormat, input: Input, agentUrl: string): boolean {
  return (
    (input.type === undefined || broadKind(format) === input.type) &&
    (input.asset_types === undefined || madeOf(format, input.asset_types)) &&
    (!asksSize(input) || (format.renders ?? []).some((render) => fitsSize(render, input))) &&
    (input.is_responsive === undefined || isResponsive(format) === input.is_responsive) &&
    (input.name_search === undefined || format.name.toLowerCase().includes(input.name_search.toLowerCase())) &&
    (input.wcag_level === undefined || meetsLevel(format, input.wcag_level)) &&
    showsDisclosures(format, input) &&
    namesAny(format.output_format_ids, input.output_format_ids, agentUrl) &&
    namesAny(format.input_format_ids, input.input_format_ids, agentUrl)
  )
}

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

const asksSize = (input: Input) =>
  [input.min_width, input.max_width, input.min_height, input.max_height].some((bound) => bound !== undefined)

/** A render without dimensions of its own fits any size. */
function fitsSize({ dimensions }: Render, input: Input): boolean {
  if (dimensions === undefined) return true
  if (dimensions.unit !== undefined && dimensions.unit !== "px" && dimensions.unit !== "dp") return false
  const { width, height } = { width: range(dimensions, "width"), height: range(dimensions, "height") }
  return overlaps(width, input.min_width, input.max_width) && overlaps(height, input.min_height, input.max_height)
}

function range(dimensions: Dimensions, side: "width" | "height"): [number, number] {
  const exact = dimensions[side]
  if (exact !== undefined) return [exact, exact]
  return [dimensions[`min_${side}`] ?? 0, dimensions[`max_${side}`] ?? Number.POSITIVE_INFINITY]
}

function overlaps([low, high]: [number, number], least = 0, most = Number.POSITIVE_INFINITY): boolean {
  return high >= least && low <= most
}

function isResponsive(format: CreativeFormat): boolean {
  return (format.renders ?? []).some(
    ({ dimensions }) => dimensions?.responsive?.width || dimensions?.responsive?.height,
  )
}

const levels = ["A", "AA", "AAA"]

function meetsLevel(format: CreativeFormat, asked: string): boolean {
  return levels.indexOf(format.accessibility?.wcag_level ?? "") >= levels.indexOf(asked)
}

function showsDisclosures(
  format: CreativeFormat,
  { disclosure_positions = [], disclosure_persistence = [] }: Input,
): boolean {
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

function namesAny(named: FormatRef[] | undefined, asked: readonly FormatRef[] | undefined, agentUrl: string): boolean {
  if (asked === undefined) return true
  return (named ?? []).some((ref) => asked.some((each) => namesSameFormat(ref, each, agentUrl)))
}
