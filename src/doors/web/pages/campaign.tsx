import { paceOf, statusOf } from "../../../domain/campaign/pacing.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { seriesOf } from "../../../domain/delivery/total-series.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import type { CampaignHead, LineChoice, LineScope, ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { longCsv } from "../csv.ts"
import { offsetOf } from "../paging.ts"
import { BASIS_WORDS, Delivered, Flight, LineBadges, Measured, Progress } from "../parts/line-bits.tsx"
import { Sparkline } from "../parts/sparkline.tsx"
import { Pager } from "../parts/table.tsx"
import { Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forMember } from "../route.ts"
import { type OrganizationVisit, param, type Visit } from "../visit.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"
import { pageNotFound } from "./refusals.tsx"

// All sketches of a page together read at most so many reports, so that a page of a hundred lines is as quick as one of three.
const REPORTS_READ_MAX = 4_000
const SKETCH_POINTS_MAX = 24
const LINES_PER_PAGE = 100
const LINES_SKETCHED_AT_ONCE = 10

export type PointsByLine = ReadonlyMap<number, readonly DeliveryTotal[]>

export async function sketchPoints({ context }: Visit, lines: readonly ShownLine[]): Promise<PointsByLine> {
  const perLine = Math.max(Math.floor(REPORTS_READ_MAX / Math.max(lines.length, 2)), SKETCH_POINTS_MAX)
  const points = new Map<number, readonly DeliveryTotal[]>()
  for (let from = 0; from < lines.length; from += LINES_SKETCHED_AT_ONCE) {
    await yieldToEventLoop()
    const ids = lines.slice(from, from + LINES_SKETCHED_AT_ONCE).map(({ lineId }) => lineId)
    for (const [id, totals] of await context.store.deliveryHistory.points(ids, perLine)) points.set(id, totals)
  }
  await yieldToEventLoop()
  return points
}

async function campaignPage(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const { organization, role } = visit
  const list = `/app/o/${organization.slug}/campaigns`
  const base = `${list}/${campaign.slug}`
  const { sells, lines } = campaign
  const points = await sketchPoints(visit, lines)
  const lineCount = await visit.context.store.campaigns.countLines(organization.id, campaign)
  // Relative, because a hundred whole addresses would be a tenth of the page.
  const fromHere = visit.url.pathname.endsWith("/") ? "lines" : `${campaign.slug}/lines`
  return page(visit, {
    title: campaign.name,
    active: list,
    body: (
      <>
        <Heading
          title={campaign.name}
          trail={[{ href: list, label: "Campaigns" }]}
          actions={
            <>
              <a class="button quiet" href={`${base}/lines.csv`}>
                Download CSV
              </a>
              <a class="button quiet" href={`/app/o/${organization.slug}/affiliates?campaign=${campaign.slug}`}>
                Affiliates
              </a>
              {sells && role === "admin" && (
                <>
                  {campaign.isSoleSeller && (
                    <a class="button" href={`${base}/edit`}>
                      Edit
                    </a>
                  )}
                  <a class="button" href={`${base}/share`}>
                    Share
                  </a>
                  <a class="button primary" href={`${base}/new-line`}>
                    Add a line
                  </a>
                </>
              )}
            </>
          }
        >
          <p class="soft">
            {campaign.buyer.id === organization.id
              ? "Your campaign, as its sellers report it."
              : `Bought by ${campaign.buyer.name}.`}
          </p>
        </Heading>
        <LineCards
          visit={visit}
          lines={lines}
          points={points}
          hrefOf={(line) => `${fromHere}/${line.packageId}`}
          sellerId={organization.id}
        />
        <LinesPager visit={visit} lineCount={lineCount} />
      </>
    ),
  })
}

/** The lines that the page in the address shows. */
export function linesOfPage({ url }: Visit): { readonly offset: number; readonly limit: number } {
  return { offset: offsetOf(url), limit: LINES_PER_PAGE }
}

export function LinesPager({ visit, lineCount }: { readonly visit: Visit; readonly lineCount: number }) {
  const offset = offsetOf(visit.url)
  const here = visit.url.pathname
  return (
    <Pager
      previous={offset > 0 ? `${here}?from=${Math.max(0, offset - LINES_PER_PAGE)}` : null}
      next={offset + LINES_PER_PAGE < lineCount ? `${here}?from=${offset + LINES_PER_PAGE}` : null}
      previousLabel="Previous lines"
      nextLabel="More lines"
    />
  )
}

interface LineCardsProps {
  readonly visit: Visit
  readonly lines: readonly ShownLine[]
  readonly points: PointsByLine
  readonly hrefOf: ((line: ShownLine) => string) | null
  /** Whose lines get "Report delivery"; null where nobody reports. */
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
              {BASIS_WORDS[line.pricingBasis]} · <Flight line={line} />
              {line.seller.id !== sellerId && ` · sold by ${line.seller.name}`}
            </p>
            <p class="figure">
              <Delivered line={line} />
            </p>
            <Progress line={line} now={visit.now} />
            <LineSketch line={line} reports={points.get(line.lineId) ?? []} />
            <div class="line-foot">
              <Measured line={line} now={visit.now} />
              {href !== undefined && line.seller.id === sellerId && (
                <a class="button" href={`${href}#report`} aria-label={`Report delivery of ${line.name}`}>
                  Report delivery
                </a>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function LineSketch({ line, reports }: { readonly line: ShownLine; readonly reports: readonly DeliveryTotal[] }) {
  if (reports.length === 0 || line.pricingBasis === "flat_rate") return null
  return <Sparkline series={seriesOf(line, reports, line.seller.timeZone, SKETCH_POINTS_MAX)} />
}

const CSV_LINES_AT_ONCE = 200
const CSV_HEADER = "package_id,line,seller,pricing_basis,flight_start,flight_end,booked,delivered,as_of,status,pace"

/** The lines of a campaign that an organization may see, or with `sold` those that it sells, as a file. */
export function campaignCsv(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope): Response {
  const { campaigns } = visit.context.store
  async function* parts() {
    let after: ShownLine | null = null
    do {
      const choice = { ...scope, after, limit: CSV_LINES_AT_ONCE }
      const lines: ShownLine[] = await campaigns.lines(organizationId, campaign, choice)
      yield lines.map((line) => csvRow(line, visit.now))
      after = lines.length < CSV_LINES_AT_ONCE ? null : (lines.at(-1) ?? null)
    } while (after !== null)
  }
  return longCsv(`${campaign.slug}.csv`, CSV_HEADER.split(","), parts())
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

/** The campaign in the path, as the organization may see it; the same page for another's and for none. */
export async function withCampaign(
  visit: OrganizationVisit,
  answer: (campaign: ShownCampaign) => Response | Promise<Response>,
  choice?: LineChoice,
): Promise<Response> {
  const { campaigns } = visit.context.store
  const campaign = await campaigns.find(visit.organization.id, param(visit, "campaign"), choice)
  return campaign === null ? pageNotFound(visit) : answer(campaign)
}

export const campaignRoutes = [
  forMember("GET", "/app/o/:org/campaigns/:campaign", (visit) =>
    withCampaign(visit, (campaign) => campaignPage(visit, campaign), linesOfPage(visit)),
  ),
  forMember("GET", "/app/o/:org/campaigns/:campaign/lines.csv", (visit) =>
    withCampaign(visit, (campaign) => campaignCsv(visit, visit.organization.id, campaign, {})),
  ),
]
