import { leastSpend } from "../adcp/schema/product/pricing-option.ts"
import type { Product } from "../adcp/schema/product/product.ts"
import type { Opening } from "../keys/opening.ts"
import type { AskedBrief } from "./demand-tally.ts"

/** What can be sold: each product, and where it is open to which key that is in use. */
export interface Offer {
  readonly products: ReadonlyMap<string, Partial<Pick<Product, "channels" | "pricing_options">>>
  readonly openingsOf: ReadonlyMap<string, readonly Opening[]>
}

export type WhyNothing =
  | { readonly why: "no key" | "revoked" | "words" }
  | {
      readonly why: "nothing open" | "country" | "channel"
      /** A product that takes what was asked for, but is not open to the key there. */
      readonly wouldFit: string | undefined
    }
  | { readonly why: "budget"; readonly product: string; readonly least: number; readonly currency: string }

type UnmetBrief = Pick<AskedBrief, "agentKeyId" | "countries" | "formats" | "budget">

/** The most likely reason, by what is open to the asking key today, why a brief matched no product. */
export function whyNothing(request: UnmetBrief, { products, openingsOf }: Offer): WhyNothing {
  const { agentKeyId, countries, formats } = request
  if (agentKeyId === null) return { why: "no key" }
  const openings = openingsOf.get(agentKeyId)
  if (openings === undefined) return { why: "revoked" }
  const wanted = channelsOf(formats)
  const takes = (productId: string) =>
    wanted.length === 0 || (products.get(productId)?.channels ?? []).some((channel) => wanted.includes(channel))
  const inCountry = openings.filter(
    ({ territories }) =>
      countries.length === 0 || territories.includes("*") || countries.some((country) => territories.includes(country)),
  )
  const able = inCountry.filter(({ productId }) => takes(productId))
  if (able.length > 0) return aboveBudget(request, able, products) ?? { why: "words" }
  const wouldFit = products.keys().find(takes)
  if (openings.length === 0) return { why: "nothing open", wouldFit }
  return { why: inCountry.length === 0 ? "country" : "channel", wouldFit }
}

/** Of "audio 30 s" the first word. */
export const channelsOf = (formats: readonly string[]): string[] => [
  ...new Set(formats.map((format) => format.split(" ")[0] ?? "")),
]

/** The cheapest of these products, where even that one takes more than the budget. */
function aboveBudget({ budget }: UnmetBrief, able: readonly Opening[], products: Offer["products"]) {
  const costs = able.flatMap(({ productId: product }) =>
    (products.get(product)?.pricing_options ?? [])
      .filter((option) => budget?.currency == null || option.currency === budget.currency)
      .map((option) => ({ why: "budget" as const, product, least: leastSpend(option), currency: option.currency })),
  )
  const [cheapest] = costs.sort((a, b) => a.least - b.least)
  return budget !== null && cheapest !== undefined && cheapest.least > budget.amount ? cheapest : undefined
}
