import { ButtonLink, CsvLink } from "../parts/button-link.tsx"
import { Card } from "../parts/card.tsx"
import { Copyable } from "../parts/copyable.tsx"
import { formatFlight } from "../parts/format.tsx"
import { LineStanding } from "../parts/line-standing.tsx"
import { BASIS_LABELS, formatPrice, LineBadge } from "../parts/line-widgets.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { forMember } from "../route.ts"
import { campaignsOf, trailTo } from "./campaign.tsx"
import { deliveryCurl } from "./delivery-curl.ts"
import { courseOfLine, LineChart, totalsCsv } from "./line-chart.tsx"
import { HistoryPager, type HistoryShown, HistoryTable, historyCsv, historyOf } from "./line-history.tsx"
import { ReportForm, type ReportTried, submitReport } from "./report-delivery.tsx"
import { type LineVisit, withLine } from "./with-line.ts"

async function linePage(place: LineVisit, tried: ReportTried | null = null): Promise<Response> {
  const { visit, campaign, line, href } = place
  const isSeller = line.seller.id === visit.organization.id
  const [history, course] = await Promise.all([historyOf(place), courseOfLine(visit, line)])
  const report = isSeller && <ReportDelivery place={place} tried={tried} />
  return headedPage(visit, {
    title: `${line.name}, ${campaign.name}`,
    heading: line.name,
    active: campaignsOf(visit),
    trail: trailTo(visit, campaign),
    badges: <LineBadge line={line} now={visit.now} />,
    actions: isSeller && (
      <>
        {visit.role === "admin" && <ButtonLink icon="edit" href={`${href}/edit`} label="Edit" />}
        <ButtonLink kind="primary" href="#report" label="Report delivery" />
      </>
    ),
    intro: soldAs(place),
    body: (
      <>
        {/* What was refused comes first, so that nobody has to look for it. */}
        {tried !== null && report}
        <LineStanding line={line} course={course} now={visit.now} zone={visit.zone} />
        <LineChart place={place} course={course} />
        {tried === null && report}
        <History place={place} history={history} />
      </>
    ),
  })
}

/** Bought by Fernweh Travel · 12 Oct – 5 Dec 2026 · €14.50 CPM */
function soldAs({ visit, campaign, line }: LineVisit): string {
  const isBuyer = campaign.buyer.id === visit.organization.id
  const price = formatPrice(line)
  return [
    isBuyer ? `Sold by ${line.seller.name}` : `Bought by ${campaign.buyer.name}`,
    formatFlight(line.flightStart, line.flightEnd, ""),
    BASIS_LABELS[line.pricingBasis],
    ...(price === null ? [] : [price]),
    ...(line.externalId !== null && line.seller.id === visit.organization.id ? [`your ID ${line.externalId}`] : []),
  ].join(" · ")
}

function ReportDelivery({ place, tried }: { readonly place: LineVisit; readonly tried: ReportTried | null }) {
  const { line, visit } = place
  return (
    <div class="cols">
      <Card title="Report delivery" id="report">
        <ReportForm place={place} tried={tried} />
      </Card>
      <Card title="Report by program">
        <Copyable id="package-id" label="API package ID" text={line.packageId} />
        <Copyable
          id="curl"
          label="Ready to send"
          text={deliveryCurl(`${visit.origin}/api/ingest/delivery/metrics`, "$ADBOOTH_KEY", line)}
        />
        <p class="hint">
          Put an API key in place of <code>$ADBOOTH_KEY</code>. An admin can create one under Settings, API keys.
        </p>
      </Card>
    </div>
  )
}

function History({ place, history }: { readonly place: LineVisit; readonly history: HistoryShown }) {
  const isEmpty = history.entries.length === 0
  return (
    <>
      <Card title="History" id="history" flush actions={!isEmpty && <CsvLink href={`${place.href}/history.csv`} />}>
        {isEmpty ? (
          <p class="card-foot">No reports yet. Every report will be kept here.</p>
        ) : (
          <HistoryTable place={place} history={history} />
        )}
      </Card>
      <HistoryPager place={place} history={history} />
    </>
  )
}

const LINE = "/app/o/:org/campaigns/:campaign/lines/:package"

export const lineRoutes = [
  forMember(
    "GET",
    LINE,
    withLine((place) => linePage(place)),
  ),
  forMember("GET", `${LINE}/totals.csv`, withLine(totalsCsv)),
  forMember("GET", `${LINE}/history.csv`, withLine(historyCsv)),
  forMember(
    "POST",
    `${LINE}/report`,
    withLine((place) => submitReport(place, linePage)),
  ),
]
