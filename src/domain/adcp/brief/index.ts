import type { OwnFormats } from "../catalogue/check.ts"
import type { SeenProduct } from "../seen-product.ts"
import { type Prepared, preparedOf } from "./prepared.ts"

/** Where a word or a subject is: places of products, and how much it counts there. */
export interface Posting {
  readonly places: number[]
  readonly weights: number[]
}

/** The words of some products, with statistics over these alone: those of others would tell of them. */
export interface Index {
  readonly products: readonly SeenProduct[]
  readonly prepared: readonly Prepared[]
  readonly placeOf: ReadonlyMap<string, number>
  readonly words: ReadonlyMap<string, Posting>
  /** By the start of a word: "Pilzmesser" for "Pilze". */
  readonly starts: ReadonlyMap<string, Posting>
  readonly subjects: ReadonlyMap<number, Posting>
}

// Preparing and adding so many takes a few milliseconds.
const PRODUCTS_AT_ONCE = 10

/** Makes an index in small steps, so that others can be served in between. */
export function* indexing(products: readonly SeenProduct[], own: OwnFormats): Generator<void, Index> {
  const prepared: Prepared[] = []
  const [words, starts, subjects] = [new Map<string, Posting>(), new Map<string, Posting>(), new Map<number, Posting>()]
  for (const [place, seen] of products.entries()) {
    if (place > 0 && place % PRODUCTS_AT_ONCE === 0) yield
    const each = preparedOf(seen, own)
    prepared.push(each)
    for (const [key, { weight }] of each.words) add(words, key, place, weight)
    for (const start of new Set([...each.words.values()].map(startOf))) add(starts, start, place, 1)
    for (const [subject, weight] of each.subjects) add(subjects, subject, place, weight)
  }
  return { products, prepared, placeOf: new Map(products.map(({ id }, place) => [id, place])), words, starts, subjects }
}

function add<Key>(postings: Map<Key, Posting>, key: Key, place: number, weight: number): void {
  const posting = postings.get(key)
  if (posting === undefined) postings.set(key, { places: [place], weights: [weight] })
  else {
    posting.places.push(place)
    posting.weights.push(weight)
  }
}

const START = 5
export const startOf = ({ word }: { readonly word: string }): string => word.slice(0, START)

/** How much more a rare word tells than one that most products have. */
export const rarityOf = (posting: Posting, count: number): number =>
  Math.log(1 + (count - posting.places.length + 0.5) / (posting.places.length + 0.5))

const SATURATION = 1.2
export const saturated = (weight: number): number => (weight * (SATURATION + 1)) / (weight + SATURATION)

// What more products have than this part of all tells little of any of them.
const COMMON = 0.3
const COMMON_MIN = 20

/** How alike each product is to one of them, by the words and subjects that few have: 0 for those that have none in common. */
export function similarityTo(index: Index, place: number): Float64Array {
  const scores = new Float64Array(index.products.length)
  const most = Math.max(COMMON_MIN, COMMON * index.products.length)
  const model = index.prepared[place]
  const take = (posting: Posting | undefined, own: number) => {
    if (posting === undefined || posting.places.length > most) return
    const worth = rarityOf(posting, index.products.length) * saturated(own)
    for (let nth = 0; nth < posting.places.length; nth++) {
      const at = posting.places[nth] as number
      scores[at] = (scores[at] as number) + worth * saturated(posting.weights[nth] as number)
    }
  }
  for (const [key, { weight }] of model?.words ?? []) take(index.words.get(key), weight)
  for (const [subject, weight] of model?.subjects ?? []) take(index.subjects.get(subject), weight)
  return scores
}
