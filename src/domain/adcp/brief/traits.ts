import type { OwnFormats } from "../catalogue/check.ts"
import { territorySentence } from "../catalogue/territory.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { SeenProduct } from "../seen-product.ts"
import { readSizes } from "./reading/amounts.ts"
import { monthsIn } from "./reading/periods.ts"
import { type Span, spansOf } from "./words/spans.ts"
import { tokenize } from "./words/tokenize.ts"

/** What is compared with a brief beside prices and territories, which the product itself says. */
export interface Facts {
  readonly features: ReadonlySet<string>
  /** Topics with their weight: more for those in the name. */
  readonly topics: ReadonlyMap<string, number>
  /** Months of which the description speaks; empty for most. */
  readonly months: ReadonlySet<number>
  /** Shortest and longest spot of each format, in seconds. */
  readonly lengths: readonly (readonly [number, number])[]
  readonly pixels: ReadonlySet<string>
}

/** The texts of a product that are searched, by how much they say about it. */
export interface Texts {
  readonly name: string
  readonly kind: string
  readonly text: string
}

const TOPIC_IN_TEXT = 0.7

export function factsOf(seen: SeenProduct, own: OwnFormats): Facts {
  const { name, kind, text } = textsOf(seen, own)
  const [inName, inKind, inText] = [name, kind, text].map((part) => spansOf(tokenize(part), () => true)) as [
    Span[],
    Span[],
    Span[],
  ]
  const topics = new Map<string, number>()
  for (const [spans, weight] of [
    [inName, 1],
    [inText, TOPIC_IN_TEXT],
  ] as const) {
    for (const id of idsOf(spans, "topic")) topics.set(id, Math.max(topics.get(id) ?? 0, weight))
  }
  return {
    features: new Set([inName, inKind, inText].flatMap((spans) => idsOf(spans, "feature"))),
    topics,
    months: monthsIn([...inName, ...inText]),
    lengths: lengthsOf(seen.product, own),
    pixels: new Set([...pixelsOf(seen.product, own), ...readSizes(inKind).pixels]),
  }
}

function idsOf(spans: readonly Span[], kind: "feature" | "topic"): string[] {
  return spans.flatMap(({ meanings }) => meanings.flatMap((each) => (each.kind === kind ? [each.id] : [])))
}

export function textsOf({ product, territories }: SeenProduct, own: OwnFormats): Texts {
  const types = [
    ...(product.video_placement_types ?? []),
    ...(product.audio_distribution_types ?? []),
    ...(product.sponsored_placement_types ?? []),
    ...(product.social_placement_surfaces ?? []),
  ]
  const formats = (product.format_ids ?? []).map((ref) => `${ref.id} ${own.get(ref.id)?.name ?? ""}`)
  const publishers = product.publisher_properties.map((property) => property.publisher_domain)
  const placements = (product.placements ?? []).flatMap(({ name = "", tags = [] }) => [name, ...tags])
  // Where a product is opened is compared by itself.
  const description = product.description.replace(territorySentence(territories), "")
  return {
    name: product.name,
    kind: [...formats, ...types, ...placements].join(" ").replaceAll("_", " "),
    text: [description, ...publishers].join(" "),
  }
}

interface Requirements {
  readonly min_duration_ms?: number
  readonly max_duration_ms?: number
}

function lengthsOf(product: Product, own: OwnFormats): [number, number][] {
  return (product.format_ids ?? []).flatMap((ref): [number, number][] => {
    if (ref.duration_ms !== undefined) return [[ref.duration_ms / 1000, ref.duration_ms / 1000]]
    const requirements = (own.get(ref.id)?.assets ?? []).map((asset) =>
      "requirements" in asset ? (asset.requirements as Requirements) : {},
    )
    return requirements.flatMap(({ min_duration_ms: least = 0, max_duration_ms: most }): [number, number][] =>
      most === undefined ? [] : [[least / 1000, most / 1000]],
    )
  })
}

function pixelsOf(product: Product, own: OwnFormats): string[] {
  return (product.format_ids ?? []).flatMap((ref) => {
    if (ref.width !== undefined) return [`${ref.width}x${ref.height}`]
    const renders = own.get(ref.id)?.renders ?? []
    return renders.flatMap(({ dimensions }) =>
      dimensions?.width === undefined ? [] : [`${dimensions.width}x${dimensions.height}`],
    )
  })
}

/** What a brief is compared with, apart from words. */
export interface Traits extends Facts {
  readonly channels: readonly string[]
  readonly territories: readonly string[]
  readonly deliveryType: string
  readonly prices: readonly Price[]
  /** The last month in which it is offered, as YYYY-MM. */
  readonly lastMonth: string | undefined
}

export interface Price {
  readonly model: PricingOption["pricing_model"]
  readonly currency: string
  /** Fixed or floor. */
  readonly amount: number
  /** The least that can be spent: a flat price or the minimum spend, 0 where there is neither. */
  readonly leastSpend: number
  readonly isFlat: boolean
}

const NO_CHANNELS: readonly string[] = []

export function traitsOf({ product, territories }: SeenProduct, facts: Facts): Traits {
  return {
    ...facts,
    channels: product.channels ?? NO_CHANNELS,
    territories,
    deliveryType: product.delivery_type,
    prices: product.pricing_options.map(priceOf),
    lastMonth: product.expires_at?.slice(0, 7),
  }
}

function priceOf(option: PricingOption): Price {
  const { pricing_model: model, currency, fixed_price: fixed, min_spend_per_package: minimum = 0 } = option
  const flat = model === "flat_rate" ? (fixed ?? 0) : 0
  return {
    model,
    currency,
    amount: fixed ?? ("floor_price" in option ? option.floor_price : undefined) ?? 0,
    leastSpend: Math.max(flat, minimum),
    isFlat: flat >= minimum,
  }
}
