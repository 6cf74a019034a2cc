// What briefs were answered with before they were understood, kept to measure against: plain text search over a product's fields, and
// the same with weights, shortened and misspelt words, and more for several words.
import MiniSearch from "minisearch"
import { territoryNames } from "../../src/domain/adcp/catalogue/territory.ts"
import type { SeenProduct } from "../../src/domain/adcp/seen-product.ts"
import type { View } from "../../src/domain/adcp/view.ts"

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

const fields = { name: 4, kind: 2, text: 1 }

function textsOf({ id, product, territories }: SeenProduct, { own }: View) {
  const channels = product.channels ?? []
  const types = [
    ...(product.video_placement_types ?? []),
    ...(product.audio_distribution_types ?? []),
    ...(product.sponsored_placement_types ?? []),
    ...(product.social_placement_surfaces ?? []),
  ]
  const synonyms = channels.map((channel) => channelWords[channel] ?? "")
  const formats = (product.format_ids ?? []).map((ref) => `${ref.id} ${own.get(ref.id)?.name ?? ""}`)
  const publishers = product.publisher_properties.map((property) => property.publisher_domain)
  const currencies = product.pricing_options.map((option) => option.currency)
  return {
    id,
    name: product.name,
    kind: [...channels, ...synonyms, ...types, ...formats, ...territoryNames(territories)].join(" "),
    text: [product.description, ...publishers, product.delivery_type, ...currencies].join(" "),
  }
}

type Ranking = (brief: string) => string[]

/** The identifiers in descending order of their score; what was not found comes last, by its identifier. */
function ranked(view: View, scores: ReadonlyMap<string, number>): string[] {
  const scoreOf = (id: string) => scores.get(id) ?? 0
  return view.products.map(({ id }) => id).sort((a, b) => scoreOf(b) - scoreOf(a) || (a < b ? -1 : 1))
}

/** MiniSearch as it comes. */
export function plainSearch(view: View): Ranking {
  const index = new MiniSearch({ fields: Object.keys(fields) })
  index.addAll(view.products.map((seen) => textsOf(seen, view)))
  return (brief) => ranked(view, new Map(index.search(brief).map(({ id, score }) => [String(id), score])))
}

/** The ranking of the first version. */
export function weightedSearch(view: View): Ranking {
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
      fuzzy: (word) => (word.length > 4 && !known.has(word) ? 0.2 : false),
      maxFuzzy: 2,
    },
  })
  index.addAll(view.products.map((seen) => textsOf(seen, view)))
  return (brief) => {
    const found = new Map<string, { score: number; words: number }>()
    for (const word of new Set(wordsOf(brief).filter((each) => !commonWords.has(each)))) {
      for (const { id, score } of index.search(word)) {
        const before = found.get(String(id)) ?? { score: 0, words: 0 }
        found.set(String(id), { score: before.score + score, words: before.words + 1 })
      }
    }
    return ranked(view, new Map([...found].map(([id, { score, words }]) => [id, score * words])))
  }
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && word.length <= 40)
}

const commonWords = new Set(
  wordsOf(
    "a about all also an and any are as at be been but by can could do does for from has have how i if in into is it its " +
      "like make may me more most my need no not of on only or other our please should so some such than that the their " +
      "them then there these they this to up us very want was we were what when which who will with would you your " +
      "ad ads advertisement advertising campaign campaigns brand buy product products " +
      "auf aus bei das dem den der die ein eine einen einer es für ich ihr im ist mit nach nicht oder sie sind und uns " +
      "unser unsere von vom wir wird zu zum zur le la les des du un une et pour avec dans sur",
  ),
)
