import type { Demand } from "../domain/adcp/tools/answer.ts"
import type { ImportedCampaign, ImportedLine, ImportFile } from "../domain/import-file.ts"
import type { Role } from "../domain/people/person.ts"
import {
  type CalendarDate,
  dateOfDayNumber,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  type Moment,
} from "../domain/time/moment.ts"
import data from "./data.json"

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

// Two companies that sell, and their buyers. All of them are invented. Days are counted from today.

export const PODCASTS = "lighthouse-audio"
export const NEWS = "harbour-post"

const packageId = (number: number) => `4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e${String(number).padStart(2, "0")}`

export const SEA_STORIES = packageId(1)
export const CITY_WALKS = packageId(2)
export const LAUNCH_EVENT = packageId(3)
export const NEWSLETTER = packageId(5)
/** The lines of a system that stopped reporting two days ago. */
export const SILENT_LINES: readonly string[] = [packageId(8), packageId(9)]

export const BUYING_AGENT = "Fernweh buying agent"
export const SHARED_CAMPAIGN = "autumn-escapes"

type LineFields = Pick<ImportedLine, "seller" | "name" | "pricing_basis">

export interface DemoLine extends LineFields {
  readonly package_id: string
  readonly booked: number | null
  readonly rate: number
  readonly flight: readonly [first: number, last: number]
  /** 1 is on plan, less is behind. Null if nothing was reported. */
  readonly pace: number | null
}

export interface Person {
  readonly email: string
  readonly name: string
  /** The slug of an organization. An operator has none. */
  readonly organization?: string
  readonly role?: Role
  /** What the person may do, in a few words. */
  readonly does: string
}

interface DemoCampaign extends Pick<ImportedCampaign, "name" | "buyer"> {
  readonly lines: readonly DemoLine[]
}

export interface DemoCode {
  readonly package_id: string
  readonly code: string
  readonly slug: string
  /** On an average day. */
  readonly clicks: number
}

/** A brief of the buying agent, and on which days it asked. */
export interface DemoBrief extends Demand {
  readonly days: readonly number[]
}

export interface DemoCall {
  readonly when: readonly [day: number, hour: number, minute: number]
  readonly keyed: boolean
  readonly tool: string
  readonly arguments: object
  readonly durationMicros: number
  readonly outcome?: string
  readonly demand?: Demand
}

const campaigns = data.campaigns as unknown as readonly DemoCampaign[]

const organizations = data.organizations
export const lines = campaigns.flatMap((campaign) => campaign.lines)
export const people = data.people as readonly Person[]
export const codes: Readonly<Record<string, readonly DemoCode[]>> = data.codes
export const briefs: readonly DemoBrief[] = data.briefs
export const calls = data.calls as unknown as readonly DemoCall[]
/** A lighthouse that sends sound, drawn for the demo. */
export const logo = (): Uint8Array => Uint8Array.fromBase64(data.logo)

/** The file that an operator would import. It's checked like any other. */
export function catalog(days: Days): ImportFile {
  const { formats, products, product_sellers, agent_keys } = data
  return { organizations, campaigns: campaigns.map(imported), formats, products, product_sellers, agent_keys }

  function imported({ name, buyer, lines }: DemoCampaign): ImportedCampaign {
    const slug = name.toLowerCase().replaceAll(" ", "-")
    return { slug, name, buyer, lines: lines.map(importedLine) }
  }

  function importedLine({ flight: [first, last], pace: _, ...line }: DemoLine): ImportedLine {
    return { ...line, flight_start: days.date(first), flight_end: days.date(last), currency: "EUR" }
  }
}
