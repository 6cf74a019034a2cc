import MiniSearch from "minisearch"
import type { OwnFormats } from "../catalogue/check-refs.ts"
import type { Product } from "../catalogue/product.ts"
import { territoryNames } from "../catalogue/territory.ts"
import { queryWords, wordsOf } from "./brief-words.ts"
import type { SeenProduct } from "./view.ts"

export interface Relevance {
  readonly score: number
  /** Words of the brief that were found, in the order of the brief. */
  readonly words: readonly string[]
}

export interface ProductSearch {
  /** The relevance of each product that has anything to do with the text. */
  rank(text: string): ReadonlyMap<string, Relevance>
}

// What people write in a brief when they mean a channel whose name in the protocol is short.
const channelWords: Readonly<Record<string, string>> = {
  olv: "online video",
  ctv: "connected tv television streaming",
  linear_tv: "tv television broadcast",
  streaming_audio: "audio music spotify radio",
  podcast: "podcasts audio host",
  dooh: "digital out of home outdoor screen billboard",
  ooh: "out of home outdoor poster billboard",
  email: "newsletter mail",
  display: "banner banners",
}

const fields = { name: 4, channels: 3, formats: 2, places: 2, description: 1, publishers: 1, details: 1 }

export function productSearch(seen: readonly SeenProduct[], own: OwnFormats): ProductSearch {
  const index = new MiniSearch({
    fields: Object.keys(fields),
    tokenize: wordsOf,
    processTerm: (term) => term,
    searchOptions: {
      boost: fields,
      tokenize: queryWords,
      fuzzy: (word) => (word.length > 5 ? 0.15 : false),
      prefix: (word) => word.length > 3,
    },
  })
  index.addAll(seen.map((each) => ({ id: each.id, ...textsOf(each, own) })))
  return {
    rank(text) {
      const asked = queryWords(text)
      const found = asked.length === 0 ? [] : index.search(asked.join(" "))
      return new Map(
        found.map(({ id, score, queryTerms }) => [
          String(id),
          { score, words: asked.filter((word) => queryTerms.includes(word)) },
        ]),
      )
    },
  }
}

function textsOf({ product, territories }: SeenProduct, own: OwnFormats): Record<keyof typeof fields, string> {
  const types = [
    ...(product.video_placement_types ?? []),
    ...(product.audio_distribution_types ?? []),
    ...(product.sponsored_placement_types ?? []),
    ...(product.social_placement_surfaces ?? []),
  ]
  return {
    name: product.name,
    description: product.description,
    channels: [
      ...(product.channels ?? []).map((channel) => `${channel} ${channelWords[channel] ?? ""}`),
      ...types,
    ].join(" "),
    formats: formatNames(product, own),
    places: territoryNames(territories).join(" "),
    publishers: product.publisher_properties.map((property) => property.publisher_domain).join(" "),
    details: [
      product.delivery_type,
      ...(product.pricing_options ?? []).map((option) => option.currency),
      ...placementNames(product),
    ].join(" "),
  }
}

function formatNames(product: Product, own: OwnFormats): string {
  return (product.format_ids ?? []).map((ref) => `${ref.id} ${own.get(ref.id)?.name ?? ""}`).join(" ")
}

function placementNames(product: Product): string[] {
  return (product.placements ?? []).flatMap((placement) => [placement.name ?? "", ...(placement.tags ?? [])])
}
