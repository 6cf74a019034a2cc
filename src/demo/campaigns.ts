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
  readonly buyer: string
  readonly lines: readonly DemoLine[]
}

export const SEA_STORIES = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e01"
export const CITY_WALKS = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e02"
export const LAUNCH_EVENT = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e03"
export const BILLBOARD = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e04"
export const NEWSLETTER = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e05"
const SUMMER_SPOTS = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e06"
const SKI_VIDEO = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e07"
const GARDEN_YEAR = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e08"
const HARBOUR_NIGHTS = "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e09"

/** Reported by a system that has stopped two days ago. */
export const SILENTLY_FED: readonly string[] = [GARDEN_YEAR, HARBOUR_NIGHTS]

const lineOf = (
  packageId: string,
  seller: string,
  name: string,
  basis: PricingBasis,
  flight: readonly [number, number],
  booked: number | null,
  rate: number,
  pace: number | null,
): DemoLine => ({ packageId, seller, name, basis, flight, booked, rate, pace })

const podcastId = (number: number) => `4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e${number}`

function podcastLine(
  ...[id, ...given]: [string, string, PricingBasis, DemoLine["flight"], number | null, number, number | null]
): DemoLine {
  return lineOf(id, PODCASTS, ...given)
}

/** What else Lighthouse Audio has running: one line for each buyer. */
const PODCAST_CAMPAIGNS: [string, string, string, DemoLine][] = [
  [
    "spring-bulbs",
    "Spring bulbs",
    "tulpenhof",
    podcastLine(GARDEN_YEAR, "The Garden Year, pre-roll", "impressions", [-13, 14], 150_000, 13.5, 0.98),
  ],
  [
    "warm-layers",
    "Warm layers",
    "moewe-outfitters",
    podcastLine(HARBOUR_NIGHTS, "Harbour Nights, mid-roll", "impressions", [-20, 21], 240_000, 16, 0.98),
  ],
  [
    "morning-roast",
    "Morning roast",
    "kaffeewerk",
    podcastLine(podcastId(10), "Coffee Hour, host-read", "downloads", [-25, 3], 48_000, 27.5, 0.98),
  ],
  [
    "sleep-on-the-way",
    "Sleep on the way",
    "nordlicht-rail",
    podcastLine(podcastId(11), "Night Trains, mid-roll", "impressions", [-26, 7], 60_000, 19, 1.44),
  ],
  [
    "switch-to-wind",
    "Switch to wind",
    "windkraft-nord",
    podcastLine(podcastId(12), "All shows, pre-roll", "impressions", [-44, 46], 1_250_000, 11.2, 1.02),
  ],
  [
    "museum-nights",
    "Museum nights",
    "hanse-museum",
    podcastLine(podcastId(13), "History in Ten Minutes, mid-roll", "impressions", [-14, 15], 36_000, 21, 1.01),
  ],
  [
    "sharp-knives",
    "Sharp knives",
    "klinge-co",
    podcastLine(podcastId(14), "Kitchen Table, pre-roll", "impressions", [-9, 35], 95_000, 14, 1.02),
  ],
  [
    "boots-for-life",
    "Boots for life",
    "bergfest",
    podcastLine(podcastId(15), "Weekend Wanderers, host-read", "downloads", [-22, 13], 72_000, 26, 1.04),
  ],
  [
    "books-in-order",
    "Books in order",
    "kontorbuch",
    podcastLine(podcastId(16), "Small Business Hour, sponsor", "flat_rate", [-14, 15], null, 4_800, null),
  ],
]

const all: readonly DemoCampaign[] = [
  {
    slug: "autumn-escapes",
    name: "Autumn escapes",
    buyer: TRAVEL,
    lines: [
      lineOf(SEA_STORIES, PODCASTS, "Sea Stories, mid-roll", "downloads", [-34, 20], 180_000, 24, 1.03),
      lineOf(CITY_WALKS, PODCASTS, "City Walks, pre-roll", "impressions", [-34, 20], 420_000, 14.5, 0.83),
      lineOf(LAUNCH_EVENT, PODCASTS, "Live evening in Hamburg", "flat_rate", [-20, -20], null, 3_500, 1),
      lineOf(BILLBOARD, NEWS, "Homepage billboard", "impressions", [-27, 27], 1_250_000, 9.8, 0.99),
      lineOf(NEWSLETTER, NEWS, "Weekend newsletter, sponsor", "flat_rate", [-6, 8], null, 1_200, null),
    ],
  },
  {
    slug: "summer-by-the-sea",
    name: "Summer by the sea",
    buyer: TRAVEL,
    lines: [lineOf(SUMMER_SPOTS, PODCASTS, "All shows, pre-roll", "impressions", [-120, -62], 600_000, 13, 1.004)],
  },
  {
    slug: "first-snow",
    name: "First snow",
    buyer: TRAVEL,
    lines: [lineOf(SKI_VIDEO, NEWS, "Pre-roll video", "impressions", [12, 61], 300_000, 18, null)],
  },
  ...PODCAST_CAMPAIGNS.map(([slug, name, buyer, line]) => ({ slug, name, buyer, lines: [line] })),
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
  return all.map(({ slug, name, buyer, lines: sold }) => ({ slug, name, buyer, lines: sold.map(imported) }))
}
