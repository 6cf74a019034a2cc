import {
  type CalendarDate,
  dateOfDayNumber,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  type Moment,
} from "../domain/time/moment.ts"
import data from "./data.json"

// Two companies that sell, and their buyers. All of them are invented. Days are counted from today.

export const { people, calls, codes, orders } = data
const campaigns: readonly DemoCampaign[] = data.campaigns
export const lines = campaigns.flatMap((campaign) => campaign.lines)

interface DemoCampaign {
  readonly name: string
  readonly buyer: string
  readonly lines: readonly DemoLine[]
}

export interface DemoLine {
  readonly package_id: string
  readonly seller: string
  readonly name: string
  readonly pricing_basis: string
  readonly booked: number | null
  readonly rate: number
  /** The days of the flight. */
  readonly first: number
  readonly last: number
  /** 1 is on plan, less is behind. Null if nothing was reported. */
  readonly pace: number | null
}

/** A lighthouse that sends sound, drawn for the demo. */
export const logo = (): Uint8Array => Uint8Array.fromBase64(data.logo)

export const PODCASTS = "lighthouse-audio"
export const NEWS = "harbour-post"

const packageId = (number: number) => `4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e${String(number).padStart(2, "0")}`

export const SEA_STORIES = packageId(1)
export const CITY_WALKS = packageId(2)
export const LAUNCH_EVENT = packageId(3)
export const NEWSLETTER = packageId(5)
/** The lines of a system that stopped reporting two days ago. */
export const SILENT_LINES: readonly string[] = [packageId(8), packageId(9)]

export type Days = ReturnType<typeof daysAround>

/** Days relative to today, so that the demo always looks current. */
export function daysAround(now: Moment) {
  const today = Math.floor(now / MICROS_PER_DAY)
  return {
    date: (offset: number): CalendarDate => dateOfDayNumber(today + offset),
    /** A moment of that day in UTC, but never in the future. */
    moment(offset: number, hour: number, minute = 0): Moment {
      const seconds = (today + offset) * 86_400 + hour * 3_600 + minute * 60
      return Math.min(seconds * MICROS_PER_SECOND, now)
    },
  }
}

// A long weekend with few listeners.
const HOLIDAY = { first: -25, last: -21, share: 0.45 }

/** The share of ordinary traffic that a day has, which is lower on a holiday. */
export const holidayShare = (offset: number): number =>
  offset >= HOLIDAY.first && offset <= HOLIDAY.last ? HOLIDAY.share : 1

/** How busy a day is: quiet at weekends, a little uneven otherwise, and the same whenever the demo starts on a day. */
export function weightOf(date: CalendarDate, salt = 0): number {
  const ms = Date.parse(date)
  const weekday = new Date(ms).getUTCDay()
  const uneven = (((ms / 86_400_000 + salt) * 37) % 23) / 60
  return (weekday === 0 || weekday === 6 ? 0.62 : 1) + uneven
}

/** The file that an operator would import. It's checked like any other. */
export function catalog(days: Days) {
  const { organizations, formats, products, product_sellers, agent_keys } = data
  const imported = campaigns.map((campaign) => ({
    ...campaign,
    slug: campaign.name.toLowerCase().replaceAll(" ", "-"),
    lines: campaign.lines.map(({ first, last, pace: _, ...line }) => {
      return { ...line, flight_start: days.date(first), flight_end: days.date(last), currency: "EUR" }
    }),
  }))
  return { organizations, campaigns: imported, formats, products, product_sellers, agent_keys }
}

/** The outcome of a step, if it has this field. Otherwise the step was refused, and the demo can't start. */
export function done<Outcome, Field extends string>(outcome: Outcome, field: Field) {
  if (typeof outcome === "object" && outcome !== null && field in outcome)
    return outcome as Extract<Outcome, { readonly [Each in Field]: unknown }>
  throw new Error(`The demo can't start: ${JSON.stringify(outcome)}`)
}
