import type { PricingBasis } from "../domain/campaign/package-line.ts"
import type { ImportedCampaign, ImportedLine } from "../domain/import/import-file.ts"
import { NEWS, PODCASTS, TRAVEL } from "./companies.ts"
import type { Days } from "./days.ts"

export interface DemoLine {
  readonly packageId: string
  readonly seller: string
  readonly name: string
  readonly basis: PricingBasis
  /** First and last day of the flight, as days from today. */
  readonly flight: readonly [number, number]
  readonly booked: number | null
  readonly rate: number
  /** Pace against the plan: 1 is on plan, less is behind. Null: nothing reported yet. */
  readonly pace: number | null
}

interface DemoCampaign {
  readonly slug: string
  readonly name: string
  readonly lines: readonly DemoLine[]
}

export const SEA_STORIES = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e01"
export const CITY_WALKS = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e02"
export const LAUNCH_EVENT = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e03"
export const BILLBOARD = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e04"
export const NEWSLETTER = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e05"
const SUMMER_SPOTS = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e06"
const SKI_VIDEO = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e07"

const line = (
  packageId: string,
  seller: string,
  name: string,
  basis: PricingBasis,
  flight: readonly [number, number],
  booked: number | null,
  rate: number,
  pace: number | null,
): DemoLine => ({ packageId, seller, name, basis, flight, booked, rate, pace })

const all: readonly DemoCampaign[] = [
  {
    slug: "autumn-escapes",
    name: "Autumn escapes",
    lines: [
      line(SEA_STORIES, PODCASTS, "Sea Stories, mid-roll", "downloads", [-34, 20], 180_000, 24, 1.03),
      line(CITY_WALKS, PODCASTS, "City Walks, pre-roll", "impressions", [-34, 20], 420_000, 14.5, 0.83),
      line(LAUNCH_EVENT, PODCASTS, "Live evening in Hamburg", "flat_rate", [-20, -20], null, 3_500, 1),
      line(BILLBOARD, NEWS, "Homepage billboard", "impressions", [-27, 27], 1_250_000, 9.8, 0.99),
      line(NEWSLETTER, NEWS, "Weekend newsletter, sponsor", "flat_rate", [-6, 8], null, 1_200, null),
    ],
  },
  {
    slug: "summer-by-the-sea",
    name: "Summer by the sea",
    lines: [line(SUMMER_SPOTS, PODCASTS, "All shows, pre-roll", "impressions", [-120, -62], 600_000, 13, 1.004)],
  },
  {
    slug: "first-snow",
    name: "First snow",
    lines: [line(SKI_VIDEO, NEWS, "Pre-roll video", "impressions", [12, 61], 300_000, 18, null)],
  },
]

export const lines: readonly DemoLine[] = all.flatMap((campaign) => campaign.lines)

export function campaigns(days: Days): ImportedCampaign[] {
  const imported = ({ flight: [start, end], ...one }: DemoLine): ImportedLine => ({
    package_id: one.packageId,
    seller: one.seller,
    name: one.name,
    pricing_basis: one.basis,
    flight_start: days.date(start),
    flight_end: days.date(end),
    booked: one.booked,
    rate: one.rate,
    currency: "EUR",
  })
  return all.map(({ slug, name, lines: sold }) => ({ slug, name, buyer: TRAVEL, lines: sold.map(imported) }))
}
