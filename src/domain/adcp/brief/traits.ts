import type { OwnFormats } from "../catalogue/check.ts"
import { territorySentence } from "../catalogue/territory.ts"
import { amountOf, leastSpend, type PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { SeenProduct } from "../seen-product.ts"
import { readSizes } from "./reading/amounts.ts"
import { monthsIn } from "./reading/periods.ts"
import { markUnwanted } from "./reading/unwanted.ts"
import { type Span, spansOf } from "./words/spans.ts"
import { type Token, tokenize } from "./words/tokenize.ts"

interface Texts {
  readonly name: string
  readonly kind: string
  readonly text: string
}

const TOPIC_IN_TEXT = 0.7

/** What the texts and the formats of a product say, whatever the brief. */
type Facts = ReturnType<typeof readFacts>

const factsOfProducts = new WeakMap<SeenProduct, Facts>()

/** Callers who see the same of a product share its facts. */
function factsOf(seen: SeenProduct, own: OwnFormats): Facts {
  const facts = factsOfProducts.get(seen) ?? readFacts(seen, own)
  factsOfProducts.set(seen, facts)
  return facts
}

function readFacts(seen: SeenProduct, own: OwnFormats) {
  const texts = textsOf(seen, own)
  const [name, kind, text] = [tokenize(texts.name), tokenize(texts.kind), tokenize(texts.text)]
  const [inName, inKind, inText] = [saidIn(name), saidIn(kind), saidIn(text)]
  const topics = new Map<string, number>()
  const wordByTopic = new Map<string, string>()
  for (const [spans, weight] of [[inName, 1] as const, [inText, TOPIC_IN_TEXT] as const]) {
    for (const { tokens, id } of namedIn(spans, "topic")) {
      topics.set(id, Math.max(topics.get(id) ?? 0, weight))
      if (!wordByTopic.has(id)) wordByTopic.set(id, tokens.map(({ raw }) => raw).join(" "))
    }
  }
  const stemsOf = (tokens: readonly Token[]) => tokens.map(({ stem }) => stem)
  return {
    features: new Set(namedIn([...inName, ...inKind, ...inText], "feature").map(({ id }) => id)),
    /** With their weight: more for those in the name. */
    topics,
    /** Of which the description speaks; empty for most. */
    months: monthsIn([...inName, ...inText]),
    /** Shortest and longest spot of each format, in seconds. */
    lengths: lengthsOf(seen.product, own),
    pixels: new Set([...pixelsOf(seen.product, own), ...readSizes(inKind).pixels]),
    stems: { name: stemsOf(name), kind: stemsOf(kind), text: stemsOf(text) },
    /** Its words as it has them. The first one counts. */
    wordByStem: new Map([...name, ...text, ...kind].reverse().map(({ stem, raw }) => [stem, raw])),
    wordByTopic,
  }
}

/** The phrases of a text but for what it says that it is not: "no host-read" offers none. */
function saidIn(tokens: readonly Token[]): Span[] {
  const spans = spansOf(tokens, () => true)
  markUnwanted(spans)
  return spans.filter(({ unwanted }) => unwanted === 0)
}

function namedIn(spans: readonly Span[], kind: "feature" | "topic") {
  return spans.flatMap(({ tokens, meanings }) =>
    meanings.flatMap((meaning) => (meaning.kind === kind ? [{ tokens, id: meaning.id }] : [])),
  )
}

function textsOf({ product, territories }: SeenProduct, own: OwnFormats): Texts {
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

export type Traits = Readonly<ReturnType<typeof traitsOf>>

export function traitsOf(seen: SeenProduct, own: OwnFormats) {
  const { product, territories } = seen
  return {
    ...factsOf(seen, own),
    channels: product.channels ?? NO_CHANNELS,
    territories,
    deliveryType: product.delivery_type,
    prices: pricesOf(seen),
    /** In which it is offered, as YYYY-MM. */
    lastMonth: product.expires_at?.slice(0, 7),
  }
}

export const pricesOf = ({ product }: SeenProduct): Price[] => product.pricing_options.map(priceOf)

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
