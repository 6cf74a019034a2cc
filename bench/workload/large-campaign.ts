import { SELLER } from "./lines.ts"

const LINES = 100

export const CAMPAIGN_PAGE = `/app/o/${SELLER}/campaigns/large`

/** One campaign of a hundred lines. */
export function largeCampaign(): object {
  const lines = Array.from({ length: LINES }, (_, i) => ({
    seller: SELLER,
    name: `Line ${i + 1}`,
    pricing_basis: "impressions",
    flight_start: "2026-01-01",
    flight_end: "2027-12-31",
    booked: 2_000,
  }))
  return {
    organizations: [
      { slug: SELLER, name: "Seller" },
      { slug: "large-buyer", name: "Buyer" },
    ],
    campaigns: [{ slug: "large", name: "Large", buyer: "large-buyer", lines }],
  }
}
