import type { PricingBasis } from "../domain/campaign/pricing-basis.ts"
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

const id = (number: number) => `4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e${String(number).padStart(2, "0")}`

export const SEA_STORIES = id(1)
export const CITY_WALKS = id(2)
export const LAUNCH_EVENT = id(3)
export const BILLBOARD = id(4)
export const NEWSLETTER = id(5)

/** Reported by a system that has stopped two days ago. */
export const SILENTLY_FED: readonly string[] = [id(8), id(9)]

type Terms = [
  name: string,
  PricingBasis,
  flight: DemoLine["flight"],
  booked: number | null,
  rate: number,
  number | null,
]

const line = (seller: string, packageId: string, ...[name, basis, flight, booked, rate, pace]: Terms): DemoLine => ({
  packageId,
  seller,
  name,
  basis,
  flight,
  booked,
  rate,
  pace,
})

/** What else Lighthouse Audio has running: one line for each buyer. */
const PODCAST_CAMPAIGNS: [string, string, string, ...Terms][] = [
  ["Spring bulbs", "tulpenhof", id(8), "The Garden Year, pre-roll", "impressions", [-13, 14], 150_000, 13.5, 0.98],
  ["Warm layers", "moewe-outfitters", id(9), "Harbour Nights, mid-roll", "impressions", [-20, 21], 240_000, 16, 0.98],
  ["Morning roast", "kaffeewerk", id(10), "Coffee Hour, host-read", "downloads", [-25, 3], 48_000, 27.5, 0.98],
  ["Sleep on the way", "nordlicht-rail", id(11), "Night Trains, mid-roll", "impressions", [-26, 7], 60_000, 19, 1.44],
  ["Switch to wind", "windkraft-nord", id(12), "All shows, pre-roll", "impressions", [-44, 46], 1_250_000, 11.2, 1.02],
  [
    "Museum nights",
    "hanse-museum",
    id(13),
    "History in Ten Minutes, mid-roll",
    "impressions",
    [-14, 15],
    36_000,
    21,
    1.01,
  ],
  ["Sharp knives", "klinge-co", id(14), "Kitchen Table, pre-roll", "impressions", [-9, 35], 95_000, 14, 1.02],
  ["Boots for life", "bergfest", id(15), "Weekend Wanderers, host-read", "downloads", [-22, 13], 72_000, 26, 1.04],
  ["Books in order", "kontorbuch", id(16), "Small Business Hour, sponsor", "flat_rate", [-14, 15], null, 4_800, null],
]

const all: readonly { readonly name: string; readonly buyer: string; readonly lines: readonly DemoLine[] }[] = [
  {
    name: "Autumn escapes",
    buyer: TRAVEL,
    lines: [
      line(PODCASTS, SEA_STORIES, "Sea Stories, mid-roll", "downloads", [-34, 20], 180_000, 24, 1.03),
      line(PODCASTS, CITY_WALKS, "City Walks, pre-roll", "impressions", [-34, 20], 420_000, 14.5, 0.83),
      line(PODCASTS, LAUNCH_EVENT, "Live evening in Hamburg", "flat_rate", [-20, -20], null, 3_500, 1),
      line(NEWS, BILLBOARD, "Homepage billboard", "impressions", [-27, 27], 1_250_000, 9.8, 0.99),
      line(NEWS, NEWSLETTER, "Weekend newsletter, sponsor", "flat_rate", [-6, 8], null, 1_200, null),
    ],
  },
  {
    name: "Summer by the sea",
    buyer: TRAVEL,
    lines: [line(PODCASTS, id(6), "All shows, pre-roll", "impressions", [-120, -62], 600_000, 13, 1.004)],
  },
  {
    name: "First snow",
    buyer: TRAVEL,
    lines: [line(NEWS, id(7), "Pre-roll video", "impressions", [12, 61], 300_000, 18, null)],
  },
  ...PODCAST_CAMPAIGNS.map(([name, buyer, ...given]) => ({ name, buyer, lines: [line(PODCASTS, ...given)] })),
]

export const lines: readonly DemoLine[] = all.flatMap((campaign) => campaign.lines)

export function campaigns(days: Days): ImportedCampaign[] {
  const imported = ({ flight: [start, end], ...rest }: DemoLine): ImportedLine => ({
    package_id: rest.packageId,
    seller: rest.seller,
    name: rest.name,
    pricing_basis: rest.basis,
    flight_start: days.date(start),
    flight_end: days.date(end),
    booked: rest.booked,
    rate: rest.rate,
    currency: "EUR",
  })
  return all.map(({ name, buyer, lines: sold }) => ({
    slug: name.toLowerCase().replaceAll(" ", "-"),
    name,
    buyer,
    lines: sold.map(imported),
  }))
}
