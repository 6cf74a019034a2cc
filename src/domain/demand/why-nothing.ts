import type { Opening } from "../keys/opening.ts"
import type { AskedBrief } from "./demand-tally.ts"

/** What can be sold: the channels of each product, and where it is open to which key. */
export interface Offer {
  readonly channelsOf: ReadonlyMap<string, readonly string[]>
  readonly openingsOf: ReadonlyMap<string, readonly Opening[]>
}

export type WhyNothing = Why & {
  /** A product that takes what was asked for, but is not open to the key there. */
  readonly wouldFit?: string
}

type Why =
  | { readonly why: "no key" }
  | { readonly why: "nothing open" }
  | { readonly why: "country"; readonly countries: readonly string[] }
  | { readonly why: "channel"; readonly channels: readonly string[] }
  | { readonly why: "words" }

type Asked = Pick<AskedBrief, "agentKeyId" | "countries" | "formats">

/** The most likely reason, by what is open to the asking key today, why a brief matched no product. */
export function whyNothing({ agentKeyId, countries, formats }: Asked, { channelsOf, openingsOf }: Offer): WhyNothing {
  if (agentKeyId === null) return { why: "no key" }
  const wanted = formats.map((format) => format.split(" ")[0] ?? "")
  const takes = (productId: string) =>
    wanted.length === 0 || (channelsOf.get(productId) ?? []).some((one) => wanted.includes(one))
  const openings = openingsOf.get(agentKeyId) ?? []
  const inCountry = openings.filter(
    ({ territories }) =>
      countries.length === 0 || territories.includes("*") || countries.some((country) => territories.includes(country)),
  )
  if (inCountry.some(({ productId }) => takes(productId))) return { why: "words" }
  const fitting = [...channelsOf.keys()].find(takes)
  const wouldFit = fitting === undefined ? {} : { wouldFit: fitting }
  if (openings.length === 0) return { why: "nothing open", ...wouldFit }
  return inCountry.length === 0
    ? { why: "country", countries, ...wouldFit }
    : { why: "channel", channels: wanted, ...wouldFit }
}
