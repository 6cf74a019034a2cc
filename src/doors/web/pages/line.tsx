import type { ShownLine } from "../../../storage/port/store.ts"
import { Ago, inNumbers, Time } from "../parts/format.tsx"
import { BASIS_WORDS, Delivered, Flight, LineBadges, Progress } from "../parts/line-bits.tsx"
import { Badge, Copyable, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forMember } from "../route.ts"
import { LineChart, lineSeries, totalsCsv } from "./line-chart.tsx"
import { type HistoryShown, HistoryTable, historyCsv, historyOf } from "./line-history.tsx"
import { type LinePlace, withLine } from "./line-place.ts"
import { ReportForm, type ReportTried, takeReport } from "./report-delivery.tsx"

export async function linePage(place: LinePlace, tried: ReportTried | null = null): Promise<Response> {
  const { visit, campaign, line, href } = place
  const campaigns = `/app/o/${visit.organization.slug}/campaigns`
  const isSeller = line.seller.id === visit.organization.id
  const [history, series] = await Promise.all([historyOf(place), lineSeries(place)])
  return page(visit, {
    title: `${line.name}, ${campaign.name}`,
    active: campaigns,
    status: Object.keys(tried?.errors ?? {}).length === 0 ? 200 : 422,
    body: (
      <>
        <Heading
          title={line.name}
          trail={[
            { href: campaigns, label: "Campaigns" },
            { href: `${campaigns}/${campaign.slug}`, label: campaign.name },
          ]}
          actions={
            isSeller &&
            visit.role === "admin" && (
              <a class="button" href={`${href}/edit`}>
                Edit
              </a>
            )
          }
        >
          <LineBadges line={line} now={visit.now} />
        </Heading>
        <LineFacts place={place} />
        <LineChart place={place} series={series} />
        {isSeller && <ReportDelivery place={place} tried={tried} />}
        <History place={place} history={history} />
      </>
    ),
  })
}

function LineFacts({ place: { line, visit } }: { readonly place: LinePlace }) {
  const zone = line.seller.timeZone
  return (
    <section class="card" aria-label="Where it stands">
      <p class="figure large">
        <Delivered line={line} />
      </p>
      <Progress line={line} now={visit.now} />
      <dl class="facts">
        <Fact title="Priced on">{BASIS_WORDS[line.pricingBasis]}</Fact>
        <Fact title="Flight">
          <Flight line={line} />
        </Fact>
        {line.rate !== null && (
          <Fact title="Rate">
            {inNumbers(line.rate)} {line.currency ?? ""}
          </Fact>
        )}
        <Fact title="Measured">
          {line.total === null ? (
            "Nothing reported yet"
          ) : (
            <>
              <Time at={line.total.asOf} zone={zone} /> (<Ago at={line.total.asOf} zone={zone} now={visit.now} />)
            </>
          )}
        </Fact>
        <Fact title="Sold by">{line.seller.name}</Fact>
        <Fact title="Times are in">{zone}</Fact>
      </dl>
    </section>
  )
}

function Fact({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ReportDelivery({ place, tried }: { readonly place: LinePlace; readonly tried: ReportTried | null }) {
  const { line, visit } = place
  return (
    <section class="card" id="report">
      <h2>Report delivery</h2>
      <div class="columns">
        <div class="stack">
          <h3>By hand</h3>
          <ReportForm place={place} tried={tried} />
        </div>
        <div class="stack">
          <h3>By program</h3>
          <Copyable id="package-id" label="API package ID" text={line.packageId} />
          <Copyable id="curl" label="Ready to send" text={curlFor(visit.origin, line)} />
          <p class="hint">
            Put an API key in place of <code>$ADBOOTH_KEY</code>. An admin makes one under Settings, API keys.
          </p>
        </div>
      </div>
    </section>
  )
}

/** A first request that works as it stands, once the key is there. */
export function curlFor(
  origin: string,
  { packageId, pricingBasis }: Pick<ShownLine, "packageId" | "pricingBasis">,
): string {
  const figure = pricingBasis === "flat_rate" ? {} : { [pricingBasis]: 1000 }
  const body = JSON.stringify({ items: [{ package_id: packageId, ...figure }] })
  return [
    `curl ${origin}/api/ingest/delivery/metrics \\`,
    `  -H "Authorization: Bearer $ADBOOTH_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ].join("\n")
}

function History({ place, history }: { readonly place: LinePlace; readonly history: HistoryShown }) {
  return (
    <section class="stack" id="history">
      <div class="heading-row">
        <h2>History</h2>
        {history.entries.length > 0 && (
          <a class="button quiet" href={`${place.href}/history.csv`}>
            Download CSV
          </a>
        )}
      </div>
      {history.entries.length === 0 ? (
        <p class="soft">
          Every report is kept here: <Badge>nothing yet</Badge>
        </p>
      ) : (
        <HistoryTable place={place} history={history} />
      )}
    </section>
  )
}

const LINE = "/app/o/:org/campaigns/:campaign/lines/:package"

export const lineRoutes = [
  forMember("GET", LINE, (visit) => withLine(visit, (place) => linePage(place))),
  forMember("GET", `${LINE}/totals.csv`, (visit) => withLine(visit, totalsCsv)),
  forMember("GET", `${LINE}/history.csv`, (visit) => withLine(visit, historyCsv)),
  forMember("POST", `${LINE}/report`, (visit) => withLine(visit, (place) => takeReport(place, linePage))),
]
