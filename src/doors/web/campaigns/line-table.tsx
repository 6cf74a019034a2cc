import { type CampaignSummary, summaryOf, type Worth, worthOf } from "../../../domain/campaign/campaign-summary.ts"
import { fileColumns } from "../../../domain/campaign/line-fields.ts"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { courseOf, type Forecast } from "../../../domain/delivery/line-course.ts"
import { recentDays } from "../../../domain/delivery/total-series.ts"
import { inParts } from "../../../domain/event-loop.ts"
import { inNaturalOrder, type ListRules } from "../../../domain/lists/list-query.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { CampaignHead, LineScope, ShownLine } from "../../../storage/port/store.ts"
import { askedPage, ListView } from "../lists.tsx"
import { offsetOf } from "../paging.ts"
import { ButtonLink } from "../parts/blocks.tsx"
import { Sparkline } from "../parts/charts/bars.tsx"
import { Ago, formatFlight, formatNumber, formatPercent, formatSum } from "../parts/format.tsx"
import { DeliveredCell, formatPrice, LineBadge } from "../parts/line.tsx"
import { type Column, Pages, Table } from "../parts/table.tsx"
import { totalOf } from "../totals/entered.ts"
import type { Visit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"

const SPARKLINE_DAYS = 14
const LINES_PER_PAGE = 50

export type PointsByLine = ReadonlyMap<number, readonly DeliveryTotal[]>

/** The last totals of the days of a sparkline, and one before: a day is what came since then. */
export function sparklinePoints({ context }: Visit, lines: readonly ShownLine[]): Promise<PointsByLine> {
  const ids = lines.map(({ lineId }) => lineId)
  return context.store.deliveryHistory.days(ids, SPARKLINE_DAYS + 1)
}

/** The lines of a campaign by the start of the flight, then in the natural order of their names. */
export async function linesInOrder(
  { context }: Visit,
  organizationId: number,
  campaign: CampaignHead,
  scope: LineScope,
) {
  const lines = await context.store.campaigns.lines(organizationId, campaign, scope)
  return inNaturalOrder(lines, ({ flightStart }) => flightStart)
}

/** The lines of this page, all of them, and their sums. */
export async function linesOfPage(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope) {
  const offset = offsetOf(visit.url)
  const all = await linesInOrder(visit, organizationId, campaign, scope)
  return { all, lines: all.slice(offset, offset + LINES_PER_PAGE), summary: await summaryOf(all, visit.now) }
}

export const LinesPager = ({ visit, summary }: Pick<LineTableProps, "visit" | "summary">) => (
  <Pages url={visit.url} perPage={LINES_PER_PAGE} count={summary.lines} what="lines" />
)

interface LineTableProps {
  readonly visit: Visit
  /** The lines of this page, and the sums of all lines. */
  readonly lines: readonly ShownLine[]
  readonly summary: CampaignSummary
  /** For the sparklines; left out where larger charts show the same. */
  readonly points?: PointsByLine
  readonly hrefOf: ((line: ShownLine) => string) | null
  /** Whose lines get "Report totals"; null for none. */
  readonly sellerId: number | null
  /** A report: with what each line is forecast to deliver, and times that stay right on paper. */
  readonly forecasts?: ReadonlyMap<number, Forecast | null>
}

/** The lines of a campaign, with what they have delivered and what that is worth. */
export const LineTable = (props: LineTableProps) => (
  <Table caption="Lines" columns={columnsFor(props)} rows={props.lines} totals={totalsFor(props.summary)} />
)

const totalsFor = ({ worth, lines }: CampaignSummary) =>
  worth !== null && lines > 1 ? { Line: "All lines", "Value so far": <WorthText worth={worth} /> } : undefined

const LINE_RULES: ListRules<ShownLine> = {
  searched: ({ name, externalId, packageId }) => `${name}\n${externalId ?? ""}\n${packageId}`,
  states: {},
  sorts: {
    start: ({ flightStart }) => flightStart,
    name: ({ name }) => name,
    delivered: ({ total, booked }) => (total === null || !booked ? null : total.quantity / booked),
    value: (line) => worthOf([line])?.delivered ?? null,
    measured: ({ total }) => total?.asOf ?? null,
  },
  largestFirst: ["delivered", "value", "measured"],
}

// One or two are found at a glance.
const FEW_LINES = 2

type LineListProps = Omit<LineTableProps, "lines" | "points"> &
  Readonly<{ all: readonly ShownLine[]; carried: string[] }>

/** The same, to be searched and sorted. */
export async function lineList({ all, carried, ...props }: LineListProps) {
  const { visit, summary } = props
  const list = askedPage(visit.url, LINE_RULES, all, { start: "from", perPage: LINES_PER_PAGE })
  const points = await sparklinePoints(visit, list.rows)
  return (
    <ListView
      url={visit.url}
      list={list}
      rules={LINE_RULES}
      what="lines"
      searched="lines"
      few={FEW_LINES}
      columns={columnsFor({ ...props, lines: list.rows, points })}
      carried={carried}
      csv={null}
      table={{ totals: totalsFor(summary) }}
    />
  )
}

function columnsFor({ visit, lines, points, hrefOf, sellerId, forecasts }: LineTableProps): Column<ShownLine>[] {
  const { now } = visit
  const year = dayOf(now, lines[0]?.seller.timeZone ?? "UTC").slice(0, 4)
  const { state, sparkline, delivered, value } = lineColumns(now, points ?? new Map(), forecasts !== undefined)
  return [
    {
      title: "Line",
      sortBy: "name",
      value: ({ name }) => name,
      href: (line) => hrefOf?.(line),
      note: (line) => soldAs(line, sellerId),
    },
    state,
    ...(points === undefined ? [] : [sparkline]),
    delivered,
    ...(forecasts === undefined ? [] : [forecastColumn(forecasts)]),
    value,
    {
      title: "Flight",
      sortBy: "start",
      cell: ({ flightStart, flightEnd }) => formatFlight(flightStart, flightEnd, year),
    },
    ...(forecasts === undefined ? [MEASURED] : []),
    ...(hrefOf !== null && lines.some(({ seller }) => seller.id === sellerId) ? [reportColumn(sellerId)] : []),
  ]
}

const MEASURED: Column<ShownLine> = {
  title: "Measured",
  sortBy: "measured",
  phone: "large",
  cell: ({ total }) => <span class="soft">{total === null ? "Never" : <Ago at={total.asOf} />}</span>,
}

/** Columns that every table of lines has. */
export const lineColumns = (now: Moment, points: PointsByLine, withUnit = false) =>
  ({
    state: { title: "State", phone: "corner", cell: (line) => <LineBadge line={line} now={now} /> },
    sparkline: {
      title: "Last 14 days",
      phone: "large",
      cell: (line) => <LineSparkline line={line} reports={points.get(line.lineId) ?? []} now={now} />,
    },
    delivered: {
      title: "Delivered",
      sortBy: "delivered",
      phone: "span",
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
  }) satisfies Record<string, Column<ShownLine>>

const forecastColumn = (forecasts: ReadonlyMap<number, Forecast | null>): Column<ShownLine> => ({
  title: "Forecast",
  numeric: true,
  cell: ({ lineId }) => {
    const forecast = forecasts.get(lineId)
    return forecast ? formatNumber(forecast.atEnd) : <span class="soft">–</span>
  },
  note: ({ lineId, booked }) => {
    const forecast = forecasts.get(lineId)
    return forecast && booked ? `${formatPercent(forecast.atEnd / booked)} of booked` : null
  },
})

/** €14.50 per 1,000 impressions · sold by Acme Audio */
const soldAs = (line: ShownLine, sellerId: number | null) =>
  line.seller.id === sellerId ? formatPrice(line) : `${formatPrice(line)} · sold by ${line.seller.name}`

export const WorthText = ({ worth: { delivered, booked, currency } }: { readonly worth: Worth }) => (
  <>
    {formatSum(delivered, currency)}
    {booked !== null && <small>of {formatSum(booked, currency)}</small>}
  </>
)

const reportColumn = (sellerId: number | null): Column<ShownLine> => ({
  title: "Actions",
  phone: "actions",
  cell: (line) =>
    line.seller.id === sellerId && (
      <ButtonLink small href={totalOf(line)} label="Report" about={`Report totals of ${line.name}`} />
    ),
})

type SparklineProps = Readonly<{ line: ShownLine; reports: readonly DeliveryTotal[]; now: Moment }>

function LineSparkline({ line, reports, now }: SparklineProps) {
  if (reports.length === 0 || line.pricingBasis === "flat_rate") return null
  const zone = line.seller.timeZone
  const { days } = courseOf(line, reports, zone, Number.POSITIVE_INFINITY)
  return <Sparkline label={`Last ${SPARKLINE_DAYS} days`} values={recentDays(days, dayOf(now, zone), SPARKLINE_DAYS)} />
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
  async function* rows() {
    const lines = await linesInOrder(visit, organizationId, campaign, scope)
    for (const some of inParts(lines, 1_000))
      yield some.map((line) => [
        line.packageId,
        line.name,
        line.seller.slug,
        ...figuresOf(line),
        stateOf(line, visit.now),
      ])
  }
  return longCsv(`${campaign.slug}.csv`, ["package_id", "line", "seller", ...FIGURES_HEADER, "state"], rows())
}
