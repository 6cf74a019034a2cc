import type { Opening } from "../keys/opening.ts"
import type { AskedBrief } from "./demand-tally.ts"

/** What can be sold: the channels of each product, and where it is open to which key. */
export interface Offer {
  readonly channelsOf: ReadonlyMap<string, readonly string[]>
  readonly openingsOf: ReadonlyMap<string, readonly Opening[]>
}

export type WhyNothing =
  | { readonly why: "no key" }
  | { readonly why: "nothing open" }
  | { readonly why: "country"; readonly countries: readonly string[] }
  | { readonly why: "channel"; readonly channels: readonly string[] }
  | { readonly why: "words" }

/** The most likely reason, by what is open to the asking key today, why a brief matched no product. */
export function whyNothing(
  { agentKeyId, countries, formats }: AskedBrief,
  { channelsOf, openingsOf }: Offer,
): WhyNothing {
  if (agentKeyId === null) return { why: "no key" }
  const openings = openingsOf.get(agentKeyId) ?? []
  if (openings.length === 0) return { why: "nothing open" }
  const inCountry = openings.filter(
    ({ territories }) =>
      countries.length === 0 || territories.includes("*") || countries.some((country) => territories.includes(country)),
  )
  if (inCountry.length === 0) return { why: "country", countries }
  const wanted = formats.map((format) => format.split(" ")[0] ?? "")
  const takes = ({ productId }: Opening) => (channelsOf.get(productId) ?? []).some((one) => wanted.includes(one))
  if (wanted.length > 0 && !inCountry.some(takes)) return { why: "channel", channels: wanted }
  return { why: "words" }
}
