import type { Opening } from "../keys/opening.ts"
import { type Moment, parseTimestamp } from "../time/moment.ts"
import { timeInUtc } from "../time/time-zone.ts"
import type { Line } from "./json.ts"
import type { Product } from "./schema/product/product.ts"

export interface SeenProduct {
  readonly id: string
  readonly product: Product
  readonly territories: readonly string[]
  /** The same in one line of text. */
  readonly line: Line
}

/** Why no arguments could bring a product up for a caller. */
type Hidden = { readonly because: "not opened" } | { readonly because: "expired"; readonly at: string }

export function hiddenBecause(product: Product, opening: Opening | undefined, now: Moment): Hidden | undefined {
  if (opening === undefined || opening.territories.length === 0) return { because: "not opened" }
  return expiryOf(product) > now ? undefined : { because: "expired", at: product.expires_at ?? "" }
}

/** When a product is offered no longer. */
export const expiryOf = ({ expires_at }: Product): Moment =>
  (expires_at === undefined ? undefined : parseTimestamp(expires_at)) ?? Number.POSITIVE_INFINITY

export function hiddenText(hidden: Hidden): string {
  if (hidden.because === "not opened") return "Not open to this key."
  return `Expired on ${timeInUtc(parseTimestamp(hidden.at) ?? 0)}.`
}
