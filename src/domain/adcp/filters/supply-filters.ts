import type { OwnFormats } from "../catalogue/check-refs.ts"
import { canonicalUrl, type FormatRef } from "../schema/format/format-id.ts"
import type { FormatOption } from "../schema/format/format-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { ProductFilters } from "../tools/product-filters-input.ts"

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

/** Whether a product takes a standard size, VAST or DAAST. */
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
