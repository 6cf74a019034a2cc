import MiniSearch from "minisearch"
import type { OwnFormats } from "../catalogue/check-refs.ts"
import { territoryNames } from "../catalogue/territory.ts"
import type { Product } from "../schema/product/product.ts"
import type { SeenProduct } from "../view.ts"
import { queryWords, wordsOf } from "./brief-words.ts"

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

// A word in the name says most about a product, one in its description least.
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
      // Only a word that no product has may be misspelt; looking for likenesses of every word would cost most of the time.
      fuzzy: (word) => (word.length > 4 && !known.has(word) ? 0.2 : false),
      maxFuzzy: 2,
    },
  })
  index.addAll(seen.map((each) => ({ id: each.id, ...textsOf(each, own) })))
  const hitsOf = rememberHits((word) => index.search(word).map(({ id, score }) => ({ id: String(id), score })))
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
      // A product that has several words of the brief means more than one that has a single word often.
      for (const relevance of found.values()) relevance.score *= relevance.words.length
      return found
    },
  }
}

interface Hit {
  readonly id: string
  readonly score: number
}

const HITS_REMEMBERED_MAX = 20_000

/** Briefs differ, but their words come back: looking for one, misspelt or shortened, costs far more than adding up what was found. */
function rememberHits(search: (word: string) => Hit[]): (word: string) => readonly Hit[] {
  const known = new Map<string, readonly Hit[]>()
  let remembered = 0
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const hits = search(word)
    if (remembered > HITS_REMEMBERED_MAX) {
      known.clear()
      remembered = 0
    }
    known.set(word, hits)
    // A word that is found nowhere takes its place too.
    remembered += hits.length + 1
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
