import { type CampaignSummary, summaryOf, type Worth, worthOf } from "../../../domain/campaign/campaign-summary.ts"
import { fileColumns } from "../../../domain/campaign/line-fields.ts"
import { bookedValue, lineValue, stateOf, stateToShow } from "../../../domain/campaign/line-state.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { addedByDay, RECENT_DAYS, recentDays } from "../../../domain/delivery/total-series.ts"
import { inParts } from "../../../domain/lists/in-parts.ts"
import { inNaturalOrder } from "../../../domain/lists/list-query.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { CampaignHead, LineScope, ShownLine } from "../../../storage/port/store.ts"
import { Sparkline } from "../parts/charts/bars.tsx"
import { formatFlight, formatSum } from "../parts/format.tsx"
import { DeliveredCell, LineBadge } from "../parts/line.tsx"
import { type Column, offsetOf } from "../parts/table.tsx"
import type { Visit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"

export const LINES_PER_PAGE = 50

export type PointsByLine = ReadonlyMap<number, readonly DeliveryTotal[]>

/** The last totals of recent days, and one before: a day is what came since then. */
export function recentTotals({ context }: Visit, lines: readonly Pick<ShownLine, "lineId">[]): Promise<PointsByLine> {
  const ids = lines.map(({ lineId }) => lineId)
  return context.store.deliveryHistory.days(ids, RECENT_DAYS + 1)
}

/** The lines of a campaign by the start of the flight, then in the natural order of their names. */
async function linesInOrder({ context }: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope) {
  const lines = await context.store.campaigns.lines(organizationId, campaign, scope)
  return inNaturalOrder(lines, ({ flightStart }) => flightStart)
}

export type LinesOfPage = Awaited<ReturnType<typeof linesOfPage>>

/** The lines of this page, all of them, and their sums. */
export async function linesOfPage(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope) {
  const offset = offsetOf(visit.url)
  const all = await linesInOrder(visit, organizationId, campaign, scope)
  return { all, lines: all.slice(offset, offset + LINES_PER_PAGE), summary: summaryOf(all, visit.now) }
}

export const totalsFor = ({ worth, lines }: CampaignSummary) =>
  worth !== null && lines > 1 ? { Line: "All lines", "Value so far": <WorthText worth={worth} /> } : undefined

/** Columns that every table of lines has. */
export const lineColumns = (now: Moment, points: PointsByLine, withUnit = false) =>
  ({
    state: { title: "State", narrow: "corner", cell: (line) => <LineBadge line={line} now={now} /> },
    sparkline: {
      title: "Last 14 days",
      narrow: "large",
      cell: (line) => sparklineOf(line, points.get(line.lineId) ?? [], now),
    },
    delivered: {
      title: "Delivered",
      sortBy: "delivered",
      narrow: "span",
      cell: (line) => <DeliveredCell line={line} now={now} withUnit={withUnit} />,
    },
    value: {
      title: "Value so far",
      sortBy: "value",
      numeric: true,
      cell: (line) => {
        const worth = worthOf([line])
        return worth === null ? <span class="soft">–</span> : <WorthText worth={worth} />
      },
    },
    flight: {
      title: "Flight",
      sortBy: "start",
      cell: ({ flightStart, flightEnd, seller }) =>
        formatFlight(flightStart, flightEnd, dayOf(now, seller.timeZone).slice(0, 4)),
    },
  }) satisfies Record<string, Column<ShownLine>>

export const WorthText = ({ worth: { delivered, booked, currency } }: { readonly worth: Worth }) => [
  formatSum(delivered, currency),
  booked !== null && <small>of {formatSum(booked, currency)}</small>,
]

function sparklineOf(line: ShownLine, reports: readonly DeliveryTotal[], now: Moment) {
  if (reports.length === 0 || line.pricingBasis === "flat_rate") return null
  const zone = line.seller.timeZone
  const days = addedByDay(line, reports, zone)
  return <Sparkline label={`Last ${RECENT_DAYS} days`} values={recentDays(days, dayOf(now, zone), RECENT_DAYS)} />
}

/** What was sold, and what of it was delivered. */
export const FIGURES_HEADER = [...fileColumns.map(({ column }) => column), "delivered", "as_of"]

export const figuresOf = (line: ShownLine) => [
  ...fileColumns.map(({ field }) => line[field]),
  line.total?.quantity ?? null,
  line.total && formatMoment(line.total.asOf),
]

/** The lines of a campaign that an organization may see (with `sold`: those that it sells) as CSV. */
export function campaignCsv(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope): Response {
  const rowOf = (line: ShownLine) => {
    const { packageId, name, seller, total, rate, currency } = line
    const state = stateToShow(stateOf(line, visit.now), total !== null)
    const money = [rate, lineValue(line), bookedValue(line), currency]
    return [packageId, name, seller.slug, ...figuresOf(line), ...money, state]
  }
  async function* rows() {
    const lines = await linesInOrder(visit, organizationId, campaign, scope)
    for (const some of inParts(lines, 1_000)) yield some.map(rowOf)
  }
  return longCsv(
    `${campaign.slug}.csv`,
    ["package_id", "line", "seller", ...FIGURES_HEADER, "rate", "value", "booked_value", "currency", "state"],
    rows(),
  )
}
