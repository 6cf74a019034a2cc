import type { Opening } from "../keys/opening.ts"
import { type Moment, parseTimestamp } from "../time/moment.ts"
import { enforcesAll } from "./filters/guarantee-filters.ts"
import { excludedBy, type FilterName } from "./filters/index.ts"
import type { Product } from "./schema/product/product.ts"
import type { GetProductsInput } from "./tools/get-products-input.ts"
import type { SeenProduct, View } from "./view.ts"

// Why a product is not in a caller's answer. The answer itself is made of the same functions, so that the two cannot disagree.

/** Why no arguments could bring a product up for a caller. */
export type Hidden = { readonly because: "not opened" } | { readonly because: "expired"; readonly at: string }

export function hiddenBecause(product: Product, opening: Opening | undefined, now: Moment): Hidden | undefined {
  if (opening === undefined || opening.territories.length === 0) return { because: "not opened" }
  return expiryOf(product) > now ? undefined : { because: "expired", at: product.expires_at ?? "" }
}

/** When a product is offered no longer. */
export const expiryOf = ({ expires_at }: Product): Moment =>
  (expires_at === undefined ? undefined : parseTimestamp(expires_at)) ?? Number.POSITIVE_INFINITY

/** An argument that leaves a product out, with what was asked. */
export interface LeftOut {
  readonly by: FilterName | "required_policies"
  readonly asked: unknown
}

/** The arguments that leave out a product which the caller sees. Without them it would be in the answer; none: it is. */
export function leftOutBy(view: View, seen: SeenProduct, input: GetProductsInput): LeftOut[] {
  const { filters, required_policies: policies = [] } = input
  const byFilters = filters === undefined ? [] : excludedBy(seen, filters, view)
  return [
    ...(enforcesAll(seen.product, policies) ? [] : [{ by: "required_policies" as const, asked: policies }]),
    ...byFilters.map((by) => ({ by, asked: filters?.[by] })),
  ]
}

const PLACES: ReadonlySet<string> = new Set<FilterName>(["countries", "regions", "metros", "postal_areas"])

export function hiddenText(hidden: Hidden): string {
  return hidden.because === "expired" ? `Expired on ${hidden.at.slice(0, 10)}.` : "Not opened to this key."
}

/** In the operator's words: which filter, and the value that it was given. */
export function leftOutText(leftOut: readonly LeftOut[], { territories }: SeenProduct): string {
  const sentences = leftOut.map(({ by, asked }) =>
    PLACES.has(by)
      ? `Opened in ${territories.join(", ")}, not in ${shown(asked)} (${by}).`
      : `Left out by ${by}: ${shown(asked)}.`,
  )
  return sentences.join(" ")
}

const SHOWN_CHARACTERS_MAX = 120

function shown(asked: unknown): string {
  const isWords = Array.isArray(asked) && asked.every((each) => typeof each === "string")
  const text = isWords ? asked.join(", ") : typeof asked === "string" ? asked : JSON.stringify(asked)
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX - 1)}…`
}
