import type { Demand } from "../domain/demand/demand.ts"
import type { ImportedCampaign, ImportedLine, ImportedUser } from "../domain/import/import-file.ts"
import data from "./data.json"
import type { Days } from "./days.ts"

// Two that sell, and those that buy; what they sell, booked and asked. None of them exists, and days are counted from today.

export const PODCASTS = "lighthouse-audio"
export const NEWS = "harbour-post"

const id = (number: number) => `4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e${String(number).padStart(2, "0")}`

export const SEA_STORIES = id(1)
export const CITY_WALKS = id(2)
export const LAUNCH_EVENT = id(3)
export const NEWSLETTER = id(5)
/** Reported by a system that has stopped two days ago. */
export const SILENTLY_FED: readonly string[] = [id(8), id(9)]

export const BUYING_AGENT = "Fernweh buying agent"

type Stated = "package_id" | "seller" | "name" | "pricing_basis" | "booked" | "rate"

export interface DemoLine extends Readonly<Required<Pick<ImportedLine, Stated>>> {
  readonly flight: readonly [number, number]
  /** Pace against the plan: 1 is on plan, less is behind. Null: nothing reported yet. */
  readonly pace: number | null
}

/** Without an organization, an operator. */
export interface Person extends Readonly<Omit<ImportedUser, "operator">> {
  /** What the person can do, in a few words. */
  readonly does: string
}

type DemoCampaign = Pick<ImportedCampaign, "name" | "buyer"> & { readonly lines: readonly DemoLine[] }

/** With the clicks on an average day. */
export type DemoCode = Readonly<(typeof data.codes)[typeof PODCASTS][number]>

/** A brief of the buying agent, and on which days it asked. */
export type DemoBrief = Omit<Demand, "isNextPage"> & { readonly days: readonly number[] }

export interface DemoCall {
  /** Day, hour and minute. */
  readonly when: readonly [number, number, number]
  readonly keyed: boolean
  readonly tool: string
  readonly arguments: object
  readonly durationMicros: number
  readonly outcome?: string
  readonly demand?: Demand
}

const campaigns = data.campaigns as unknown as readonly DemoCampaign[]

export const lines = campaigns.flatMap((campaign) => campaign.lines)
export const people: readonly Person[] = data.people as Person[]
export const codes: Readonly<Record<string, readonly DemoCode[]>> = data.codes
export const briefs: readonly DemoBrief[] = data.briefs
export const calls = data.calls as unknown as readonly DemoCall[]
/** AdCP 3.1 objects. */
export const products: unknown[] = data.products

/** The mark of Lighthouse Audio, drawn for the demo: a lighthouse that sends sound. WebP, 112 pixels wide and high. */
export const logo = () => Uint8Array.fromBase64(data.logo)

/** The file that an operator would import: checked like any other. */
export function catalogue(days: Days) {
  const imported = ({ name, buyer, lines: sold }: DemoCampaign): ImportedCampaign => ({
    slug: name.toLowerCase().replaceAll(" ", "-"),
    name,
    buyer,
    lines: sold.map(({ flight: [start, end], pace: _, ...line }) => ({
      ...line,
      flight_start: days.date(start),
      flight_end: days.date(end),
      currency: "EUR",
    })),
  })
  const { organizations, formats, agent_keys, product_sellers } = data
  return { organizations, campaigns: campaigns.map(imported), formats, products, product_sellers, agent_keys }
}
