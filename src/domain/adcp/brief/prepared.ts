import type { OwnFormats } from "../catalogue/check.ts"
import { territorySentence } from "../catalogue/territory.ts"
import type { Product } from "../schema/product/product.ts"
import type { SeenProduct } from "../seen-product.ts"
import { channelName } from "./words/channels.ts"
import { isFunctionWord, type Language, languageOf } from "./words/languages.ts"
import { subjectInside, subjectOf } from "./words/subjects.ts"
import { type Token, tokenize } from "./words/tokens.ts"

/** A word of a product. */
export interface OwnWord {
  /** How much it counts: more in the name, and where it is said more than once. */
  weight: number
  /** Whether it is of the product's own text. */
  readonly isOwn: boolean
  readonly word: string
}

/** What is searched of one product: a pure function of its texts, made once and shared by all who see it. */
export interface Prepared {
  readonly words: ReadonlyMap<string, OwnWord>
  readonly subjects: ReadonlyMap<number, number>
  readonly language: Language | undefined
}

const WEIGHTS = { name: 1.6, text: 1, kind: 0.6 }
export const PART_WEIGHT = 0.6

// By the stored product: where it is opened is not searched.
const preparedProducts = new WeakMap<SeenProduct["stored"], Prepared>()

export function preparedOf(seen: SeenProduct, own: OwnFormats): Prepared {
  const known = preparedProducts.get(seen.stored)
  if (known !== undefined) return known
  const prepared = prepare(seen, own)
  preparedProducts.set(seen.stored, prepared)
  return prepared
}

function prepare({ product, territories }: SeenProduct, own: OwnFormats): Prepared {
  // Where a product is opened is compared by itself.
  const text = product.description.replace(territorySentence(territories), "")
  const [name, description] = [tokenize(product.name), tokenize(text)]
  const spoken = languageOf([...name, ...description])
  const language = spoken === "other" ? undefined : spoken
  const words = new Map<string, OwnWord>()
  const add = (tokens: readonly Token[], weight: number, isOwn: boolean) => {
    for (const { word, stem: key } of tokens) {
      if (word.length < 2 || isFunctionWord(word, language)) continue
      const before = words.get(key)
      if (before === undefined) words.set(key, { weight, isOwn, word })
      else before.weight += weight
    }
  }
  add(name, WEIGHTS.name, true)
  add(description, WEIGHTS.text, true)
  add(tokenize(kindText(product, own)), WEIGHTS.kind, false)
  const subjects = new Map<number, number>()
  for (const [key, word] of words) {
    const spokenIn = word.isOwn ? language : "en"
    const whole = subjectOf(key, spokenIn)
    const part = whole === undefined ? subjectInside(word.word, spokenIn) : undefined
    const subject = whole ?? part
    const weight = whole === undefined ? word.weight * PART_WEIGHT : word.weight
    if (subject !== undefined) subjects.set(subject, Math.max(subjects.get(subject) ?? 0, weight))
  }
  return { words, subjects, language }
}

function kindText(product: Product, own: OwnFormats): string {
  const types = [
    ...(product.video_placement_types ?? []),
    ...(product.audio_distribution_types ?? []),
    ...(product.sponsored_placement_types ?? []),
    ...(product.social_placement_surfaces ?? []),
  ]
  // Who keeps the file of a spot says nothing about the spot.
  const formats = (product.format_ids ?? []).map(({ id }) => `${id.replace("_hosted", "")} ${own.get(id)?.name ?? ""}`)
  const channels = (product.channels ?? []).map(channelName)
  const publishers = product.publisher_properties.map(({ publisher_domain }) =>
    publisher_domain.replace(/\.[^.]*$/, ""),
  )
  const placements = (product.placements ?? []).flatMap(({ name = "", tags = [] }) => [name, ...tags])
  const isAuction = product.pricing_options.some(
    (option) => "floor_price" in option && option.floor_price !== undefined,
  )
  // Nearly all have a price for a thousand, so that it tells nothing.
  const models = product.pricing_options.map(({ pricing_model: model }) => model).filter((model) => model !== "cpm")
  const prices = [...models, ...(isAuction ? ["auction programmatic"] : [])]
  return [...formats, ...types, ...placements, ...publishers, ...channels, ...prices].join(" . ").replaceAll("_", " ")
}
