import { deliveredShare, LINE_STATES, stateOf } from "../../domain/campaign/line-state.ts"
import { bookedValue, deliveredValue, valuesOf } from "../../domain/campaign/value.ts"
import { addedOn, stretchesOf } from "../../domain/delivery/day.ts"
import { amountOf, type Coins } from "../../domain/money.ts"
import { type CalendarDate, datesFrom, dayBefore, formatMoment, type Moment } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import type { StoredLine } from "../../storage/campaigns/lines.ts"
import type { LineDays } from "../../storage/delivery/days.ts"
import { lineAddress } from "../find.ts"
import type { MemberVisit } from "../visit.ts"
import { Sparkline } from "./charts/small-charts.tsx"
import { Ago, dotted, formatCount, formatFlight, useClock } from "./format.tsx"
import { basisInWords, DeliveredCell, LineBadge, stateInWords, ValueCell } from "./line.tsx"
import { type Column, Name } from "./table.tsx"

const SPARKLINE_DAYS = 14

/** The last two weeks in the seller's time zone, today included. */
export function lastTwoWeeks(now: Moment, { timeZone }: Pick<StoredLine, "timeZone">): CalendarDate[] {
  const today = dayOf(now, timeZone)
  return datesFrom(dayBefore(today, SPARKLINE_DAYS - 1), today)
}

/** The most urgent line has the lowest number. A line without any totals comes after all others that run. */
function urgencyOf(line: StoredLine, now: Moment): number {
  const state = stateOf(line, now)
  return LINE_STATES.indexOf(state === "no_recent_totals" && line.total === null ? "ends_soon" : state)
}

/** The cell that names a line in a list of several campaigns. */
export const lineCell = (visit: Pick<MemberVisit, "organization">, line: StoredLine, ...more: readonly string[]) => (
  <>
    <Name href={lineAddress(visit, line.campaign, line)}>{line.name}</Name>
    <small>{dotted(line.campaign.name, line.campaign.buyer, ...more)}</small>
  </>
)

const sparklineColumn = (totals: LineDays): Column<StoredLine> => ({
  title: "Last 14 days",
  needsRoom: true,
  cell: (line) => <LineSparkline line={line} totals={totals} />,
})

function LineSparkline({ line, totals }: { readonly line: StoredLine; readonly totals: LineDays }) {
  const { now } = useClock()
  if (line.pricingBasis === "flat_rate") return null
  const dates = lastTwoWeeks(now, line)
  // One earlier total shows what the first date added, and the newest total may already be tomorrow's.
  const newest = (totals.get(line.id) ?? []).slice(-dates.length - 2)
  return <Sparkline label="Last 14 days" values={addedOn(dates, stretchesOf(line.flightStart, newest))} />
}

/** The columns that lists of lines choose from. The one with the name isn't here, because it differs from page to page. */
export const lineColumns = (now: Moment, totals: LineDays) =>
  ({
    state: {
      title: "State",
      onPhone: "corner",
      cell: (line) => <LineBadge line={line} />,
      sort: (line) => urgencyOf(line, now),
      csv: (line) => stateInWords(stateOf(line, now), line.total !== null),
    },
    sparkline: sparklineColumn(totals),
    delivered: {
      title: "Delivered",
      onPhone: "span",
      cell: (line) => <DeliveredCell line={line} />,
      sort: (line) => deliveredShare(line),
      csv: ({ total }) => total?.quantity ?? null,
    },
    value: {
      title: "Value so far",
      isNumber: true,
      cell: (line) => <ValueCell values={valuesOf([line])} />,
      sort: (line) => deliveredValue(line),
      csv: (line) => amountIn(line, deliveredValue(line)),
    },
    flight: {
      title: "Flight",
      cell: ({ flightStart, flightEnd, timeZone }) => formatFlight(flightStart, flightEnd, dayOf(now, timeZone)),
      sort: ({ flightStart }) => flightStart,
    },
    measured: {
      title: "Measured",
      onPhone: "hidden",
      needsRoom: true,
      cell: ({ total }) => <span class="soft">{total === null ? "Never" : <Ago at={total.asOf} />}</span>,
      sort: ({ total }) => total?.asOf ?? null,
      csv: ({ total }) => total && formatMoment(total.asOf),
    },
  }) satisfies Readonly<Record<string, Column<StoredLine>>>

/** The last row of a list of lines. After a search, it says how many lines it sums up. */
export function sumOfLines(found: readonly StoredLine[], all: readonly StoredLine[], label: string) {
  const values = valuesOf(found)
  if (values.length === 0) return undefined
  const isAll = found.length === all.length
  return {
    Line: isAll ? label : `Sum of ${formatCount(found.length, "line")}`,
    "Value so far": <ValueCell values={values} />,
  }
}

/** The sums of a campaign. Archived lines aren't listed, but they belong to its value. */
export function sumOfCampaign(lines: readonly StoredLine[]) {
  const hasArchived = lines.some(({ isArchived }) => isArchived)
  return lines.length < 2
    ? undefined
    : sumOfLines(lines, lines, hasArchived ? "All lines, archived ones included" : "All lines")
}

const amountIn = ({ currency }: StoredLine, coins: Coins | null) =>
  coins === null || currency === null ? null : amountOf(coins, currency)

/** What only the file of a list of lines says. Only the seller sees a line's external ID. `readerId` is null for a visitor with a link. */
export const lineFileColumns = (readerId: number | null): readonly Column<StoredLine>[] => [
  { title: "Line ID", csv: ({ packageId }) => packageId },
  { title: "External ID", csv: ({ externalId, sellerId }) => (sellerId === readerId ? externalId : null) },
  { title: "Seller", csv: ({ seller }) => seller },
  { title: "Priced on", csv: basisInWords },
  { title: "Booked", csv: ({ booked }) => booked },
  { title: "First day", csv: ({ flightStart }) => flightStart },
  { title: "Last day", csv: ({ flightEnd }) => flightEnd },
  { title: "Rate", csv: ({ rate }) => rate },
  { title: "Currency", csv: ({ currency }) => currency },
  { title: "Booked value", csv: (line) => amountIn(line, bookedValue(line)) },
]
