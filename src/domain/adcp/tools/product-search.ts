import MiniSearch from "minisearch"
import type { OwnFormats } from "../catalogue/check-refs.ts"
import { territoryNames } from "../catalogue/territory.ts"
import type { Product } from "../schema/product/product.ts"
import type { SeenProduct } from "../view.ts"
import { queryWords, wordsOf } from "./brief-words.ts"

export interface Relevance {
  readonly score: number
  /** Matching words, in the order of the brief. */
  readonly words: readonly string[]
}

export interface ProductSearch {
  /** The relevance of each matching product. */
  rank(text: string): ReadonlyMap<string, Relevance>
}

// Words that people use for channels with short names in the protocol.
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

// Weights: a match in the name counts most, one in the description least.
const fields = { name: 4, kind: 2, text: 1 }

export function productSearch(seen: readonly SeenProduct[], own: OwnFormats): ProductSearch {
  const known = new Set<string>()
  const index = new MiniSearch({
    fields: Object.keys(fields),
    tokenize: wordsOf,
    processTerm: (word) => {
      known.add(word)
      return word
    },
    searchOptions: {
      boost: fields,
      tokenize: (word) => [word],
      processTerm: (word) => word,
      prefix: (word) => word.length > 3,
      // Fuzzy only for words that no product has: a fuzzy search of every word would take most of the time.
      fuzzy: (word) => (word.length > 4 && !known.has(word) ? 0.2 : false),
      maxFuzzy: 2,
    },
  })
  index.addAll(seen.map((each) => ({ id: each.id, ...textsOf(each, own) })))
  const hitsOf = cacheHits((word) => index.search(word).map(({ id, score }) => ({ id: String(id), score })))
  return {
    rank(text) {
      const found = new Map<string, { score: number; words: string[] }>()
      for (const word of queryWords(text)) {
        for (const { id, score } of hitsOf(word)) {
          const relevance = found.get(id) ?? { score: 0, words: [] }
          relevance.score += score
          relevance.words.push(word)
          found.set(id, relevance)
        }
      }
      // Several different words count more than one frequent word.
      for (const relevance of found.values()) relevance.score *= relevance.words.length
      return found
    },
  }
}

interface Hit {
  readonly id: string
  readonly score: number
}

const HITS_CACHED_MAX = 20_000

/** Caches the hits of each word: briefs differ, but their words repeat, and the search costs far more than adding up hits. */
function cacheHits(search: (word: string) => Hit[]): (word: string) => readonly Hit[] {
  const known = new Map<string, readonly Hit[]>()
  let cached = 0
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const hits = search(word)
    if (cached > HITS_CACHED_MAX) {
      known.clear()
      cached = 0
    }
    known.set(word, hits)
    // A word without hits takes space too.
    cached += hits.length + 1
    return hits
  }
}

function textsOf({ product, territories }: SeenProduct, own: OwnFormats): Record<keyof typeof fields, string> {
  const channels = product.channels ?? []
  const types = [
    ...(product.video_placement_types ?? []),
    ...(product.audio_distribution_types ?? []),
    ...(product.sponsored_placement_types ?? []),
    ...(product.social_placement_surfaces ?? []),
  ]
  const synonyms = channels.map((channel) => channelWords[channel] ?? "")
  const publishers = product.publisher_properties.map((property) => property.publisher_domain)
  const currencies = product.pricing_options.map((option) => option.currency)
  return {
    name: product.name,
    kind: [...channels, ...synonyms, ...types, formatNames(product, own), ...territoryNames(territories)].join(" "),
    text: [product.description, ...publishers, product.delivery_type, ...currencies, ...placementNames(product)].join(
      " ",
    ),
  }
}

function formatNames(product: Product, own: OwnFormats): string {
  return (product.format_ids ?? []).map((ref) => `${ref.id} ${own.get(ref.id)?.name ?? ""}`).join(" ")
}

function placementNames(product: Product): string[] {
  return (product.placements ?? []).flatMap((placement) => [placement.name ?? "", ...(placement.tags ?? [])])
}
