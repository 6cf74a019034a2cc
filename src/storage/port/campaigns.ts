import type { BuyerChoice, Company } from "../../domain/campaign/buyer-choice.ts"
import type { PacedLine } from "../../domain/campaign/pacing.ts"
import type { PackageId, PricingBasis } from "../../domain/campaign/package-line.ts"
import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { LineViewer, SeenSource } from "../../domain/delivery/line-viewer.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { CalendarDate, Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"

// Campaigns as their sellers and buyers may see them. Whoever asks is part of every question: what is another's is not found.

export type { BuyerChoice, Company }

export interface ShownLine {
  readonly lineId: number
  readonly packageId: PackageId
  readonly name: string
  readonly pricingBasis: PricingBasis
  readonly flightStart: CalendarDate
  readonly flightEnd: CalendarDate | null
  readonly booked: number | null
  readonly rate: number | null
  readonly currency: string | null
  readonly seller: Company & { readonly id: number; readonly timeZone: TimeZone }
  /** Null before the first report. */
  readonly total: DeliveryTotal | null
}

export interface CampaignHead extends Company {
  readonly id: number
  readonly buyer: Company & { readonly id: number }
}

export interface ShownCampaign extends CampaignHead {
  /** Those asked for of the lines that whoever asks may see: a buyer sees all of them, a seller its own. None unless asked for. */
  readonly lines: readonly ShownLine[]
  /** Whether whoever asks sells one of them. */
  readonly sells: boolean
  /** Whether every line is sold by whoever asks, so that the campaign itself is its to edit. */
  readonly isSoleSeller: boolean
}

/** Where a line stands among those of its campaign: by the start of the flight, then by name. */
export interface LinePosition {
  readonly flightStart: CalendarDate
  readonly name: string
  readonly lineId: number
}

/** What the summary of a campaign tells of a line. */
export interface ListedLine extends PacedLine, LinePosition {
  readonly timeZone: TimeZone
}

export interface ListedCampaign extends CampaignHead {
  readonly createdAt: Moment
}

/** Which of the lines that an organization may see: with `sold`, only those that it sells itself. */
export interface LineScope {
  readonly sold?: boolean
}

/** Some of a campaign's lines: one, or so many from a place on. */
export type LineChoice =
  | { readonly packageId: PackageId }
  | (LineScope & { readonly offset: number; readonly limit: number })

/** The next so many lines after one, or from the first on. A download asks so again and again, however many there are. */
export interface LinesAfter extends LineScope {
  readonly after: LinePosition | null
  readonly limit: number
}

export interface LineFields {
  readonly name: string
  readonly pricingBasis: PricingBasis
  readonly flightStart: CalendarDate
  readonly flightEnd: CalendarDate | null
  readonly booked: number | null
  readonly rate: number | null
  readonly currency: string | null
}

export interface NewLine extends LineFields {
  readonly packageId: PackageId
}

/** changed: it is no longer as it was when the person looked at it, and nothing was written. */
export type EditOutcome = "done" | "none" | "changed"

export type Campaigns = CampaignReads & CampaignWrites

export interface CampaignReads {
  /** The campaigns that an organization buys or sells lines of, newest first, from a place on. */
  list(organizationId: number, page: { readonly offset: number; readonly limit: number }): Promise<ListedCampaign[]>
  /** The same, after one of them, or from the newest on. */
  listAfter(
    organizationId: number,
    after: Pick<ListedCampaign, "id" | "createdAt"> | null,
    limit: number,
  ): Promise<ListedCampaign[]>
  /** The campaign, with those of its lines that are chosen. */
  find(organizationId: number, slug: string, choice?: LineChoice): Promise<ShownCampaign | null>
  /** How many lines of a campaign there are to be seen. */
  countLines(organizationId: number, campaign: CampaignHead, scope?: LineScope): Promise<number>
  /** Lines of a campaign in the order in which it shows them. */
  lines(organizationId: number, campaign: CampaignHead, choice: LinesAfter): Promise<ShownLine[]>
  /** The same, with what a summary of them needs. */
  listedLines(organizationId: number, campaign: CampaignHead, choice: LinesAfter): Promise<ListedLine[]>
  /** Organizations that bought from this one, or all but itself. */
  buyers(sellerId: number | null): Promise<Company[]>
  /** Whether delivery or affiliate figures refer to the line, so that its basis can no longer change what they mean. */
  hasFigures(lineId: number): Promise<boolean>
}

export interface CampaignWrites {
  /** Makes a campaign with its first line; its slug. Null when there is no such buyer. */
  create(
    sellerId: number,
    campaign: { readonly name: string; readonly buyer: BuyerChoice },
    line: NewLine,
    change: Change,
  ): Promise<string | null>
  /** None unless every line of it is sold by this organization, or when there is no such buyer. */
  edit(
    sellerId: number,
    slug: string,
    edited: { readonly name: string; readonly buyer: BuyerChoice },
    change: Change,
  ): Promise<EditOutcome>
  /** False unless this organization sells in the campaign already. */
  addLine(sellerId: number, slug: string, line: NewLine, change: Change): Promise<boolean>
  /** None unless this organization sells the line. The basis stays once figures refer to the line. */
  editLine(sellerId: number, packageId: PackageId, line: LineFields, change: Change): Promise<EditOutcome>
}

/** Where a page of the history ends and the next begins. */
export interface HistoryPlace extends DeliveryTotal {}

export interface HistoryEntry extends DeliveryTotal {
  readonly receivedAt: Moment
  /** As far as whoever asks may know. */
  readonly source: SeenSource
}

export interface DeliveryHistory {
  /** Reports of a line as a viewer may see them, from a place on, last arrival first, and where it goes on; null after the first ever. */
  page(
    lineId: number,
    viewer: LineViewer,
    from: HistoryPlace | null,
    limit: number,
  ): Promise<{ readonly entries: readonly HistoryEntry[]; readonly next: HistoryPlace | null }>
  /** The newest so many reports of each line, as they were measured. */
  points(lineIds: readonly number[], perLine: number): Promise<ReadonlyMap<number, readonly DeliveryTotal[]>>
}
