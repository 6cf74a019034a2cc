import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { SeenProduct } from "../view.ts"
import type { Facts } from "./facts.ts"

// What a brief is compared with, apart from words. Products have much in common: those with the same traits share one object, so that a
// brief is compared with it once, however many products have it.

/** What a product is about, and where it is sold. */
export interface About extends Pick<Facts, "topics"> {
  readonly channels: readonly string[]
  readonly territories: readonly string[]
}

/** What a product takes, what it costs, and when it runs. */
export interface Terms extends Pick<Facts, "features" | "lengths" | "pixels" | "months"> {
  readonly deliveryType: string
  readonly prices: readonly Price[]
  /** The last month in which it is offered, as YYYY-MM. */
  readonly lastMonth: string | undefined
}

export interface Price {
  readonly model: PricingOption["pricing_model"]
  readonly currency: string
  /** Fixed or floor. */
  readonly amount: number
  /** The least that can be spent: a flat price or the minimum spend, 0 where there is neither. */
  readonly leastSpend: number
  readonly isFlat: boolean
}

export interface Traits {
  readonly about: About
  readonly terms: Terms
}

const NO_CHANNELS: readonly string[] = []

export function traitsOf({ product, territories }: SeenProduct, facts: Facts): Traits {
  const { topics, features, lengths, pixels, months } = facts
  return {
    about: { channels: product.channels ?? NO_CHANNELS, territories, topics },
    terms: {
      features,
      lengths,
      pixels,
      months,
      deliveryType: product.delivery_type,
      prices: product.pricing_options.map(priceOf),
      lastMonth: product.expires_at?.slice(0, 7),
    },
  }
}

function priceOf(option: PricingOption): Price {
  const { pricing_model: model, currency, fixed_price: fixed, min_spend_per_package: minimum = 0 } = option
  const flat = model === "flat_rate" ? (fixed ?? 0) : 0
  return {
    model,
    currency,
    amount: fixed ?? ("floor_price" in option ? option.floor_price : undefined) ?? 0,
    leastSpend: Math.max(flat, minimum),
    isFlat: flat >= minimum,
  }
}

/** Hands back one object for all that are alike. */
export function interner<Value extends object>(): (value: Value) => Value {
  const known = new Map<string, Value>()
  return (value) => {
    const key = JSON.stringify(value, listed)
    const first = known.get(key) ?? value
    known.set(key, first)
    return first
  }
}

const listed = (_: string, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value)
