import type { OwnFormats } from "../catalogue/check.ts"
import { territorySentence } from "../catalogue/territory.ts"
import { amountOf, leastSpend } from "../schema/product/least-spend.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { SeenProduct } from "../seen-product.ts"
import { readSizes } from "./reading/amounts.ts"
import { monthsIn } from "./reading/periods.ts"
import { markUnwanted } from "./reading/scopes.ts"
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
  const [inName = [], inKind = [], inText = []] = [name, kind, text].map(saidIn)
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

/** The phrases of a text but for what it says that it is not: "no host-read" offers none. */
function saidIn(text: string): Span[] {
  const spans = spansOf(tokenize(text), () => true)
  markUnwanted(spans)
  return spans.filter(({ unwanted }) => unwanted === 0)
}

/** The words of a product as it has them. */
export interface Vocabulary {
  readonly byStem: ReadonlyMap<string, string>
  readonly byTopic: ReadonlyMap<string, string>
}

export function vocabularyOf(seen: SeenProduct, own: OwnFormats): Vocabulary {
  const { name, kind, text } = textsOf(seen, own)
  const byStem = new Map<string, string>()
  const byTopic = new Map<string, string>()
  for (const part of [name, text, kind]) {
    for (const { raw, stem } of tokenize(part)) if (!byStem.has(stem)) byStem.set(stem, raw)
    if (part === kind) break
    for (const { tokens, meanings } of saidIn(part)) {
      for (const meaning of meanings) {
        const known = meaning.kind !== "topic" || byTopic.has(meaning.id)
        if (!known) byTopic.set(meaning.id, tokens.map(({ raw }) => raw).join(" "))
      }
    }
  }
  return { byStem, byTopic }
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
  // Who keeps the file of a spot says nothing about the spot.
  const formats = (product.format_ids ?? []).map(
    (ref) => `${ref.id.replace("_hosted", "")} ${own.get(ref.id)?.name ?? ""}`,
  )
  const publishers = product.publisher_properties.map((property) => property.publisher_domain)
  const placements = (product.placements ?? []).flatMap(({ name = "", tags = [] }) => [name, ...tags])
  // Where a product is opened is compared by itself.
  const description = product.description.replace(territorySentence(territories), "")
  return {
    name: product.name,
    kind: [...formats, ...types, ...placements, ...publishers].join(" ").replaceAll("_", " "),
    text: description,
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
  /** The pricing model; hour, day, week or month for a price by time. */
  readonly model: string
  readonly currency: string
  /** Fixed or floor. */
  readonly amount: number
  /** The least that can be spent, 0 where nothing says so. */
  readonly leastSpend: number
  /** What that is: the whole price, the price of so much time, or a minimum. */
  readonly least: "flat" | "time" | "minimum"
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
  const { pricing_model: model, currency } = option
  const spend = leastSpend(option)
  const isOneUnit = spend === amountOf(option)
  const whole = !isOneUnit ? "minimum" : model === "flat_rate" ? "flat" : model === "time" ? "time" : "minimum"
  return {
    model: model === "time" ? option.parameters.time_unit : model,
    currency,
    amount: amountOf(option),
    leastSpend: spend,
    least: whole,
  }
}
