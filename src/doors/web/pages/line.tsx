import { Badge } from "../parts/badge.tsx"
import { ButtonLink, CsvLink } from "../parts/button-link.tsx"
import { Copyable } from "../parts/copyable.tsx"
import { Fact, Facts } from "../parts/facts.tsx"
import { Ago, formatNumber, Time } from "../parts/format.tsx"
import { BASIS_LABELS, Delivered, Flight, LineBadges, Progress } from "../parts/line-widgets.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { forMember } from "../route.ts"
import { campaignsOf, trailTo } from "./campaign.tsx"
import { deliveryCurl } from "./delivery-curl.ts"
import { LineChart, lineCourse, totalsCsv } from "./line-chart.tsx"
import { type HistoryShown, HistoryTable, historyCsv, historyOf } from "./line-history.tsx"
import { ReportForm, type ReportTried, submitReport } from "./report-delivery.tsx"
import { type LineVisit, withLine } from "./with-line.ts"

async function linePage(place: LineVisit, tried: ReportTried | null = null): Promise<Response> {
  const { visit, campaign, line, href } = place
  const isSeller = line.seller.id === visit.organization.id
  const [history, course] = await Promise.all([historyOf(place), lineCourse(place)])
  return headedPage(visit, {
    title: `${line.name}, ${campaign.name}`,
    heading: line.name,
    active: campaignsOf(visit),
    trail: trailTo(visit, campaign),
    actions: isSeller && visit.role === "admin" && <ButtonLink href={`${href}/edit`} label="Edit" />,
    intro: <LineBadges line={line} now={visit.now} />,
    body: (
      <>
        <LineFacts place={place} />
        <LineChart place={place} course={course} />
        {isSeller && <ReportDelivery place={place} tried={tried} />}
        <History place={place} history={history} />
      </>
    ),
  })
}

function LineFacts({ place: { line, visit } }: { readonly place: LineVisit }) {
  const zone = line.seller.timeZone
  return (
    <section class="card" aria-label="Current delivery">
      <p class="figure large">
        <Delivered line={line} />
      </p>
      <Progress line={line} now={visit.now} />
      <Facts>
        <Fact term="Priced on">{BASIS_LABELS[line.pricingBasis]}</Fact>
        <Fact term="Flight">
          <Flight line={line} />
        </Fact>
        {line.rate !== null && (
          <Fact term="Rate">
            {formatNumber(line.rate)} {line.currency ?? ""}
          </Fact>
        )}
        <Fact term="Measured">
          {line.total === null ? (
            "Nothing reported yet"
          ) : (
            <>
              <Time at={line.total.asOf} zone={zone} /> (<Ago at={line.total.asOf} zone={zone} now={visit.now} />)
            </>
          )}
        </Fact>
        {line.externalId !== null && line.seller.id === visit.organization.id && (
          <Fact term="Your own ID">{line.externalId}</Fact>
        )}
        <Fact term="Sold by">{line.seller.name}</Fact>
        <Fact term="Time zone">{zone}</Fact>
      </Facts>
    </section>
  )
}

function ReportDelivery({ place, tried }: { readonly place: LineVisit; readonly tried: ReportTried | null }) {
  const { line, visit } = place
  return (
    <section class="card" id="report">
      <h2>Report delivery</h2>
      <div class="cols">
        <div class="stack">
          <h3>By hand</h3>
          <ReportForm place={place} tried={tried} />
        </div>
        <div class="stack">
          <h3>By program</h3>
          <Copyable id="package-id" label="API package ID" text={line.packageId} />
          <Copyable
            id="curl"
            label="Ready to send"
            text={deliveryCurl(`${visit.origin}/api/ingest/delivery/metrics`, "$ADBOOTH_KEY", line)}
          />
          <p class="hint">
            Put an API key in place of <code>$ADBOOTH_KEY</code>. An admin can create one under Settings, API keys.
          </p>
        </div>
      </div>
    </section>
  )
}

function History({ place, history }: { readonly place: LineVisit; readonly history: HistoryShown }) {
  return (
    <section class="stack" id="history">
      <div class="heading-row">
        <h2>History</h2>
        {history.entries.length > 0 && <CsvLink href={`${place.href}/history.csv`} />}
      </div>
      {history.entries.length === 0 ? (
        <p class="soft">
          Every report is kept here. <Badge>None yet</Badge>
        </p>
      ) : (
        <HistoryTable place={place} history={history} />
      )}
    </section>
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
