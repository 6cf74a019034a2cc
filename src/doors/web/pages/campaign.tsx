import { paceOf, statusOf } from "../../../domain/campaign/pacing.ts"
import { recentDays } from "../../../domain/delivery/daily-totals.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { courseOf } from "../../../domain/delivery/line-course.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import type { CampaignHead, LineChoice, LineScope, ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { ArchivedLink, showsArchived } from "../manage/archived-link.tsx"
import { inParts, offsetOf, pagesAround } from "../paging.ts"
import { ButtonLink, CsvLink } from "../parts/button-link.tsx"
import { Sparkline } from "../parts/charts/sparkline.tsx"
import { BASIS_LABELS, Delivered, Flight, LineBadges, Measured, Progress } from "../parts/line-widgets.tsx"
import type { Trail } from "../parts/page-head.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { Pager } from "../parts/table/pages.tsx"
import { type Answer, forMember, withFound } from "../route.ts"
import { type OrganizationVisit, param, type Visit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"

// For all sparklines of a page together, so that a page of a hundred lines is as quick as one of three.
const REPORTS_READ_MAX = 4_000
const SPARKLINE_POINTS_MAX = 24
const SPARKLINE_DAYS = 14
const LINES_PER_PAGE = 100
const LINES_AT_ONCE = 10

export type PointsByLine = ReadonlyMap<number, readonly DeliveryTotal[]>

export async function sparklinePoints({ context }: Visit, lines: readonly ShownLine[]): Promise<PointsByLine> {
  const perLine = Math.max(Math.floor(REPORTS_READ_MAX / Math.max(lines.length, 2)), SPARKLINE_POINTS_MAX)
  const points = new Map<number, readonly DeliveryTotal[]>()
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    await yieldToEventLoop()
    const ids = lines.slice(from, from + LINES_AT_ONCE).map(({ lineId }) => lineId)
    for (const [id, totals] of await context.store.deliveryHistory.points(ids, perLine)) points.set(id, totals)
  }
  await yieldToEventLoop()
  return points
}

async function campaignPage(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const { organization } = visit
  const points = await sparklinePoints(visit, campaign.lines)
  const archived = showsArchived(visit.url)
  const lineCount = await visit.context.store.campaigns.countLines(organization.id, campaign, { archived })
  // Relative, because a hundred full addresses would be a tenth of the page.
  const fromHere = visit.url.pathname.endsWith("/") ? "lines" : `${campaign.slug}/lines`
  const isBuyer = campaign.buyer.id === organization.id
  return headedPage(visit, {
    title: campaign.name,
    active: campaignsOf(visit),
    trail: trailTo(visit),
    actions: <CampaignActions visit={visit} campaign={campaign} />,
    intro: isBuyer ? "Your campaign, as reported by its sellers." : `Bought by ${campaign.buyer.name}.`,
    body: (
      <>
        <LineCards
          visit={visit}
          lines={campaign.lines}
          points={points}
          hrefOf={(line) => `${fromHere}/${line.packageId}`}
          sellerId={organization.id}
        />
        <LinesPager visit={visit} lineCount={lineCount} />
        <ArchivedLink url={visit.url} />
      </>
    ),
  })
}

type CampaignActionsProps = Readonly<{ visit: OrganizationVisit; campaign: ShownCampaign }>

function CampaignActions({ visit, campaign: { slug, sells, isSoleSeller } }: CampaignActionsProps) {
  const base = `${campaignsOf(visit)}/${slug}`
  const affiliates = `/app/o/${visit.organization.slug}/affiliates?campaign=${slug}`
  return (
    <>
      <CsvLink href={`${base}/lines.csv`} />
      <ButtonLink kind="quiet" href={affiliates} label="Affiliates" />
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

/** The address of the organization's campaigns. */
export const campaignsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/campaigns`

/** The breadcrumb of a page below the list of campaigns, or below one of them. */
export function trailTo(visit: OrganizationVisit, campaign?: ShownCampaign): Trail {
  const href = campaignsOf(visit)
  const own = campaign === undefined ? [] : [{ href: `${href}/${campaign.slug}`, label: campaign.name }]
  return [{ href, label: "Campaigns" }, ...own]
}

/** The lines of the page that the query names. */
export function linesOfPage({ url }: Visit): LineScope & { readonly offset: number; readonly limit: number } {
  return { offset: offsetOf(url), limit: LINES_PER_PAGE, archived: showsArchived(url) }
}

export function LinesPager({ visit, lineCount }: { readonly visit: Visit; readonly lineCount: number }) {
  const pages = pagesAround(visit.url, LINES_PER_PAGE, lineCount)
  return <Pager {...pages} previousLabel="Previous lines" nextLabel="More lines" />
}

interface LineCardsProps {
  readonly visit: Visit
  readonly lines: readonly ShownLine[]
  readonly points: PointsByLine
  readonly hrefOf: ((line: ShownLine) => string) | null
  /** Whose lines get "Report delivery"; null for none. */
  readonly sellerId: number | null
}

export function LineCards({ visit, lines, points, hrefOf, sellerId }: LineCardsProps) {
  return (
    <ul class="lines">
      {lines.map((line) => {
        const href = hrefOf?.(line)
        return (
          <li key={line.packageId} class="card line">
            <div class="line-head">
              <h2>{href === undefined ? line.name : <a href={href}>{line.name}</a>}</h2>
              <LineBadges line={line} now={visit.now} />
            </div>
            <p class="soft">
              {BASIS_LABELS[line.pricingBasis]} · <Flight line={line} />
              {line.seller.id !== sellerId && ` · sold by ${line.seller.name}`}
            </p>
            <p class="figure">
              <Delivered line={line} />
            </p>
            <Progress line={line} now={visit.now} />
            <LineSparkline line={line} reports={points.get(line.lineId) ?? []} now={visit.now} />
            <div class="line-foot">
              <Measured line={line} now={visit.now} />
              {href !== undefined && line.seller.id === sellerId && (
                <ButtonLink href={`${href}#report`} label="Report delivery" about={`Report delivery of ${line.name}`} />
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

type SparklineProps = Readonly<{ line: ShownLine; reports: readonly DeliveryTotal[]; now: Moment }>

function LineSparkline({ line, reports, now }: SparklineProps) {
  if (reports.length === 0 || line.pricingBasis === "flat_rate") return null
  const zone = line.seller.timeZone
  const { days } = courseOf(line, reports, zone, SPARKLINE_POINTS_MAX)
  return <Sparkline label={`Last ${SPARKLINE_DAYS} days`} values={recentDays(days, now, zone, SPARKLINE_DAYS)} />
}

const CSV_LINES_AT_ONCE = 200
const CSV_HEADER = "package_id,line,seller,pricing_basis,flight_start,flight_end,booked,delivered,as_of,status,pace"

/** The lines of a campaign that an organization may see (with `sold`: those that it sells) as CSV. */
export function campaignCsv(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope): Response {
  const { campaigns } = visit.context.store
  async function* rows() {
    const read = (after: ShownLine | null) =>
      campaigns.lines(organizationId, campaign, { ...scope, after, limit: CSV_LINES_AT_ONCE })
    for await (const lines of inParts(CSV_LINES_AT_ONCE, read)) yield lines.map((line) => csvRow(line, visit.now))
  }
  return longCsv(`${campaign.slug}.csv`, CSV_HEADER.split(","), rows())
}

function csvRow(line: ShownLine, now: Moment) {
  return [
    line.packageId,
    line.name,
    line.seller.slug,
    line.pricingBasis,
    line.flightStart,
    line.flightEnd,
    line.booked,
    line.total?.quantity ?? null,
    line.total === null ? null : formatMoment(line.total.asOf),
    statusOf(line, now, line.seller.timeZone),
    paceOf(line, line.seller.timeZone),
  ]
}

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

const CAMPAIGN = "/app/o/:org/campaigns/:campaign"

export const campaignRoutes = [
  forMember("GET", CAMPAIGN, withCampaign(campaignPage, linesOfPage)),
  forMember(
    "GET",
    `${CAMPAIGN}/lines.csv`,
    withCampaign((visit, campaign) =>
      campaignCsv(visit, visit.organization.id, campaign, { archived: showsArchived(visit.url) }),
    ),
  ),
]
