import { type CampaignSummary, summaryOf, type Worth, worthOf } from "../../../domain/campaign/campaign-summary.ts"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { courseOf, type Forecast } from "../../../domain/delivery/line-course.ts"
import { type LineViewer, viewerOf } from "../../../domain/delivery/line-viewer.ts"
import { recentDays } from "../../../domain/delivery/total-series.ts"
import { inParts } from "../../../domain/event-loop.ts"
import { inNaturalOrder } from "../../../domain/lists/list-query.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { CampaignHead, LineChoice, LineScope, ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { offsetOf, withQuery } from "../paging.ts"
import { Badge, ButtonLink, CsvLink } from "../parts/blocks.tsx"
import { Sparkline } from "../parts/charts/bars.tsx"
import { Ago, formatFlight, formatNumber, formatPercent, formatSum } from "../parts/format.tsx"
import { DeliveredCell, formatPrice, LineBadge } from "../parts/line.tsx"
import { headedPage, type Trail } from "../parts/page.tsx"
import { type Column, Pages, Table } from "../parts/table.tsx"
import { type Answer, forMember, withFound } from "../route.ts"
import { type OrganizationVisit, param, type Visit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"

const SPARKLINE_DAYS = 14
const LINES_PER_PAGE = 50

export type PointsByLine = ReadonlyMap<number, readonly DeliveryTotal[]>

/** The last totals of the days of a sparkline, and one before: a day is what came since then. */
export function sparklinePoints({ context }: Visit, lines: readonly ShownLine[]): Promise<PointsByLine> {
  const ids = lines.map(({ lineId }) => lineId)
  return context.store.deliveryHistory.days(ids, SPARKLINE_DAYS + 1)
}

async function campaignPage(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const { organization } = visit
  const archived = showsArchived(visit.url)
  const { lines, summary } = await linesOfPage(visit, organization.id, campaign, { archived })
  const points = await sparklinePoints(visit, lines)
  const archivedLines = await visit.context.store.campaigns.count(organization.id, campaign, { archived: true })
  // Relative, because a hundred full addresses would be a tenth of the page.
  const fromHere = visit.url.pathname.endsWith("/") ? "lines" : `${campaign.slug}/lines`
  const isBuyer = campaign.buyer.id === organization.id
  const year = dayOf(visit.now, organization.timeZone).slice(0, 4)
  const flight = summary.from === null ? [] : [formatFlight(summary.from, summary.to, year)]
  return headedPage(visit, {
    title: campaign.name,
    trail: trailTo(visit),
    badges: campaign.archived ? <Badge shape="dash">Archived</Badge> : undefined,
    actions: <CampaignActions visit={visit} campaign={campaign} />,
    intro: [isBuyer ? "Your campaign, as reported by its sellers" : campaign.buyer.name, ...flight].join(" · "),
    body: (
      <>
        <LineTable
          visit={visit}
          lines={lines}
          summary={summary}
          points={points}
          hrefOf={(line) => `${fromHere}/${line.packageId}`}
          sellerId={organization.id}
        />
        <LinesPager visit={visit} summary={summary} />
        <ArchivedLink url={visit.url} count={archivedLines} />
      </>
    ),
  })
}

type CampaignActionsProps = Readonly<{ visit: OrganizationVisit; campaign: ShownCampaign }>

function CampaignActions({ visit, campaign: { slug, sells, isSoleSeller } }: CampaignActionsProps) {
  const base = `${campaignsOf(visit)}/${slug}`
  const affiliates = `/app/o/${visit.organization.slug}/affiliates`
  return (
    <>
      <CsvLink href={`${base}/lines.csv`} />
      {visit.place?.hasCodes ? (
        <ButtonLink kind="quiet" href={`${affiliates}?campaign=${slug}`} label="Affiliates" />
      ) : (
        // The menu has no entry before the first code.
        sells && <ButtonLink kind="quiet" href={`${affiliates}/new`} label="Add a code" />
      )}
      {sells && visit.role === "admin" && (
        <>
          {isSoleSeller && <ButtonLink href={`${base}/edit`} label="Edit" />}
          <ButtonLink href={`${base}/share`} label="Share" />
          <ButtonLink kind="primary" href={`${base}/new-line`} label="Add a line" />
        </>
      )}
    </>
  )
}

export const campaignsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/campaigns`

/** The breadcrumb of a page below the list of campaigns, or below one of them. */
export function trailTo(visit: OrganizationVisit, campaign?: ShownCampaign): Trail {
  const href = campaignsOf(visit)
  const own = campaign === undefined ? [] : [{ href: `${href}/${campaign.slug}`, label: campaign.name }]
  return [{ href, label: "Campaigns" }, ...own]
}

/** The lines of a campaign by the start of the flight, then in the natural order of their names. */
async function linesInOrder({ context }: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope) {
  const lines = await context.store.campaigns.lines(organizationId, campaign, scope)
  return inNaturalOrder(lines, ({ flightStart }) => flightStart)
}

/** The lines of this page, all of them, and their sums. */
export async function linesOfPage(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope) {
  const offset = offsetOf(visit.url)
  const all = await linesInOrder(visit, organizationId, campaign, scope)
  return { all, lines: all.slice(offset, offset + LINES_PER_PAGE), summary: await summaryOf(all, visit.now) }
}

export function LinesPager({ visit, summary }: Pick<LineTableProps, "visit" | "summary">) {
  return <Pages url={visit.url} perPage={LINES_PER_PAGE} count={summary.lines} what="lines" />
}

interface LineTableProps {
  readonly visit: Visit
  /** The lines of this page, and the sums of all lines. */
  readonly lines: readonly ShownLine[]
  readonly summary: CampaignSummary
  /** For the sparklines; left out where larger charts show the same. */
  readonly points?: PointsByLine
  readonly hrefOf: ((line: ShownLine) => string) | null
  /** Whose lines get "Report delivery"; null for none. */
  readonly sellerId: number | null
  /** A report: with what each line is forecast to deliver, and times that stay right on paper. */
  readonly forecasts?: ReadonlyMap<number, Forecast | null>
}

/** The lines of a campaign, with what they have delivered and what that is worth. */
export function LineTable({ visit, lines, summary, points, hrefOf, sellerId, forecasts }: LineTableProps) {
  const { now } = visit
  const year = dayOf(now, lines[0]?.seller.timeZone ?? "UTC").slice(0, 4)
  const { worth } = summary
  const { state, sparkline, delivered, value } = lineColumns(now, points ?? new Map(), forecasts !== undefined)
  const columns: Column<ShownLine>[] = [
    {
      title: "Line",
      value: ({ name }) => name,
      href: (line) => hrefOf?.(line),
      note: (line) => soldAs(line, sellerId),
    },
    state,
    ...(points === undefined ? [] : [sparkline]),
    delivered,
    ...(forecasts === undefined ? [] : [forecastColumn(forecasts)]),
    value,
    { title: "Flight", nowrap: true, cell: ({ flightStart, flightEnd }) => formatFlight(flightStart, flightEnd, year) },
    ...(forecasts === undefined ? [{ title: "Measured", phone: "large", cell: measured } as const] : []),
    ...(hrefOf !== null && lines.some(({ seller }) => seller.id === sellerId) ? [reportColumn(hrefOf, sellerId)] : []),
  ]
  const totals =
    worth !== null && summary.lines > 1 ? { Line: "All lines", "Value so far": <WorthText worth={worth} /> } : undefined
  return <Table caption="Lines" columns={columns} rows={lines} rowKey={({ packageId }) => packageId} totals={totals} />
}

const measured = ({ total }: ShownLine) => (
  <span class="soft">{total === null ? "Never" : <Ago at={total.asOf} />}</span>
)

/** Columns that every table of lines has. */
export function lineColumns(now: Moment, points: PointsByLine, withUnit = false) {
  return {
    state: { title: "State", phone: "corner", cell: (line) => <LineBadge line={line} now={now} /> },
    sparkline: {
      title: "Last 14 days",
      phone: "large",
      cell: (line) => <LineSparkline line={line} reports={points.get(line.lineId) ?? []} now={now} />,
    },
    delivered: {
      title: "Delivered",
      phone: "span",
      cell: (line) => <DeliveredCell line={line} now={now} withUnit={withUnit} />,
    },
    value: {
      title: "Value so far",
      numeric: true,
      cell: (line) => {
        const worth = worthOf([line])
        return worth === null ? <span class="soft">–</span> : <WorthText worth={worth} />
      },
    },
  } satisfies Record<string, Column<ShownLine>>
}

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

export function WorthText({ worth: { delivered, booked, currency } }: { readonly worth: Worth }) {
  return (
    <>
      {formatSum(delivered, currency)}
      {booked !== null && <small>of {formatSum(booked, currency)}</small>}
    </>
  )
}

const reportColumn = (hrefOf: (line: ShownLine) => string, sellerId: number | null): Column<ShownLine> => ({
  title: "Actions",
  phone: "actions",
  cell: (line) =>
    line.seller.id === sellerId && (
      <ButtonLink small href={`${hrefOf(line)}#report`} label="Report" about={`Report delivery of ${line.name}`} />
    ),
})

type SparklineProps = Readonly<{ line: ShownLine; reports: readonly DeliveryTotal[]; now: Moment }>

function LineSparkline({ line, reports, now }: SparklineProps) {
  if (reports.length === 0 || line.pricingBasis === "flat_rate") return null
  const zone = line.seller.timeZone
  const { days } = courseOf(line, reports, zone, Number.POSITIVE_INFINITY)
  return <Sparkline label={`Last ${SPARKLINE_DAYS} days`} values={recentDays(days, now, zone, SPARKLINE_DAYS)} />
}

export const CSV_FIGURES = "pricing_basis,flight_start,flight_end,booked,delivered,as_of"
const CSV_HEADER = `package_id,line,seller,${CSV_FIGURES},state`

/** The lines of a campaign that an organization may see (with `sold`: those that it sells) as CSV. */
export function campaignCsv(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope): Response {
  async function* rows() {
    const lines = await linesInOrder(visit, organizationId, campaign, scope)
    for (const some of inParts(lines, 1_000))
      yield some.map((line) => [
        line.packageId,
        line.name,
        line.seller.slug,
        ...csvFigures(line),
        stateOf(line, visit.now),
      ])
  }
  return longCsv(`${campaign.slug}.csv`, CSV_HEADER.split(","), rows())
}

export const csvFigures = ({ pricingBasis, flightStart, flightEnd, booked, total }: ShownLine) => [
  pricingBasis,
  flightStart,
  flightEnd,
  booked,
  total?.quantity ?? null,
  total && formatMoment(total.asOf),
]

/** Answers with the campaign in the path, as the organization may see it; "not found" for somebody else's too. */
export function withCampaign(
  show: (visit: OrganizationVisit, campaign: ShownCampaign) => Answer,
  choiceOf: (visit: OrganizationVisit) => LineChoice | undefined = () => undefined,
) {
  return withFound(
    (visit: OrganizationVisit) =>
      visit.context.store.campaigns.find(visit.organization.id, param(visit, "campaign"), choiceOf(visit)),
    show,
  )
}

export interface LineVisit {
  readonly visit: OrganizationVisit
  readonly campaign: ShownCampaign
  readonly line: ShownLine
  readonly viewer: LineViewer
  readonly href: string
}

/** The same with the line in the path. */
export function withLine(show: (place: LineVisit) => Answer) {
  return withCampaign(
    (visit, campaign) => {
      const [line] = campaign.lines
      if (line === undefined) return pageNotFound(visit)
      const href = `${campaignsOf(visit)}/${campaign.slug}/lines/${line.packageId}`
      const { organization, person } = visit
      const viewer = viewerOf(line, { organizationId: organization.id, isOperator: person.isOperator })
      return show({ visit, campaign, line, viewer, href })
    },
    (visit) => ({ packageId: param(visit, "package").toLowerCase() }),
  )
}

export const ARCHIVED = "archived"

export const showsArchived = (url: URL) => url.searchParams.get(ARCHIVED) === "yes"

/** Leads from a list to what is archived, and back. */
export function ArchivedLink({ url, count }: { readonly url: URL; readonly count: number }) {
  const shows = showsArchived(url)
  if (!shows && count === 0) return null
  // Neither list begins where the other was.
  const plain = new URL(withQuery(new URL(withQuery(url, "from", null), url), "start", null), url)
  return (
    <p class="soft">
      <a href={withQuery(plain, ARCHIVED, shows ? null : "yes")}>
        {shows ? "Show current" : `Show archived (${formatNumber(count)})`}
      </a>
    </p>
  )
}

export const CAMPAIGN = "/app/o/:org/campaigns/:campaign"
export const LINE = `${CAMPAIGN}/lines/:package`

const linesCsv = (visit: OrganizationVisit, campaign: ShownCampaign) =>
  campaignCsv(visit, visit.organization.id, campaign, { archived: showsArchived(visit.url) })

export const campaignRoutes = [
  forMember("GET", CAMPAIGN, withCampaign(campaignPage)),
  forMember("GET", `${CAMPAIGN}/lines.csv`, withCampaign(linesCsv)),
]
