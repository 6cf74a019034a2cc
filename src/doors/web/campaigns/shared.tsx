import { namedContact } from "../../../actions/operations/agent-settings.ts"
import type { CampaignSummary } from "../../../domain/campaign/campaign-summary.ts"
import { PRICING_BASES } from "../../../domain/campaign/pricing-basis.ts"
import { courseOf } from "../../../domain/delivery/line-course.ts"
import { hashToken } from "../../../domain/keys/api-key.ts"
import { dayOf, type TimeZone, timeInWords } from "../../../domain/time/time-zone.ts"
import { sentence } from "../../../domain/user-error.ts"
import type { ShownLine } from "../../../storage/port/store.ts"
import { forAnyone, withFound } from "../guards.ts"
import { linkEnded } from "../outside/stranger-pages.tsx"
import { Card, CsvLink, type Fact, Letterhead, PrintButton, Stats } from "../parts/blocks.tsx"
import { Legend } from "../parts/charts/plot.tsx"
import { TotalChart } from "../parts/charts/total-chart.tsx"
import { formatFlight, formatNumber, formatPercent, formatSum, Time } from "../parts/format.tsx"
import { formatPrice, StateBadge } from "../parts/line.tsx"
import { PageHead } from "../parts/page.tsx"
import { type Column, Pages, Table } from "../parts/table.tsx"
import { logoResponse, page } from "../respond.tsx"
import { statementOutside, statementsCard } from "../sale/sheet.tsx"
import { idParam, param, type Visit } from "../visit.ts"
import { courseOfLine } from "./line.tsx"
import { campaignCsv, LINES_PER_PAGE, lineColumns, linesOfPage, recentTotals, totalsFor } from "./line-table.tsx"

type Shared = NonNullable<Awaited<ReturnType<typeof openShare>>>

/** Only the lines of the seller who shared it, even where the seller is also the buyer and sees more. */
const SHARED = { sold: true, archived: false } as const

async function openShare(visit: Visit) {
  const { shareLinks, campaigns } = visit.context.store
  const opened = await shareLinks.findByToken(hashToken(param(visit, "token")), visit.now)
  if (opened === null) return null
  const { organizationId: sellerId, expiresAt } = opened
  const campaign = await campaigns.find(sellerId, opened.campaign)
  if (campaign === null) return null
  return { campaign, ...(await linesOfPage(visit, sellerId, campaign, SHARED)), sellerId, expiresAt }
}

const CHARTS_MAX = 6

async function sharedPage(visit: Visit, shared: Shared): Promise<Response> {
  const { campaign, lines, summary, sellerId, expiresAt } = shared
  const seller = lines[0]?.seller
  const contact = await namedContact(visit.context.store)
  const drawn = lines.slice(0, CHARTS_MAX)
  const charted = await Promise.all(
    drawn.map(async (line) => ({ line, course: await courseOfLine(visit, line, CHART_POINTS_MAX) })),
  )
  const courses = charted.filter(({ course }) => course.days.length > 0)
  const columns = await columnsFor(visit, lines)
  const units = unitsOf(shared.all)
  const zone = seller?.timeZone ?? "UTC"
  return page(visit, {
    title: `${campaign.name}: campaign report`,
    shape: "sheet",
    zone: seller?.timeZone,
    body: (
      <article class="stack">
        <Letterhead logo={await logoOf(visit, sellerId)} name={seller?.name ?? ""}>
          <div class="actions no-print">
            <CsvLink href={`${visit.url.pathname}/lines.csv`} />
            <PrintButton />
          </div>
        </Letterhead>
        <PageHead title={campaign.name}>
          <p class="sub">
            Campaign report for {campaign.buyer.name}. {asOfText(summary, zone)}
          </p>
        </PageHead>
        {totals(visit, summary, units, zone)}
        <Table caption="Lines" columns={columns} rows={lines} totals={totalsFor(summary)} />
        <Pages url={visit.url} perPage={LINES_PER_PAGE} count={summary.lines} what="lines" />
        {courses.length > 0 && (
          <Card title="Delivery over the flight" actions={<Legend entries={LEGEND} />}>
            <div class="cols">
              {courses.map(({ line, course }) => (
                <div class="stack">
                  <h3>{line.name}</h3>
                  <TotalChart line={line} course={course} now={visit.now} low />
                </div>
              ))}
            </div>
          </Card>
        )}
        {statementsCard(await sharedStatements(visit, shared), `${visit.url.pathname}/statements`, false)}
        <p class="hint">
          {seller !== undefined && `Delivery as reported by ${seller.name}; corrections replace earlier figures. `}
          Value is delivery at the agreed price, up to what was booked. This page is available until{" "}
          <Time at={expiresAt} isKept />. {contact !== null && `Questions? ${sentence(contact)} `}Reported with{" "}
          <b>Adbooth</b>.
        </p>
      </article>
    ),
  })
}

/** With what each line is forecast to deliver, from its last two weeks as on its own page, and times that stay right on paper. */
async function columnsFor(visit: Visit, lines: readonly ShownLine[]): Promise<Column<ShownLine>[]> {
  const points = await recentTotals(visit, lines)
  const forecastOf = (line: ShownLine) =>
    courseOf(line, points.get(line.lineId) ?? [], line.seller.timeZone, CHART_POINTS_MAX).forecast?.atEnd
  const forecasts = new Map(lines.map((line) => [line.lineId, forecastOf(line)]))
  const { state, delivered, value, flight } = lineColumns(visit.now, points, true)
  const forecast: Column<ShownLine> = {
    title: "Forecast",
    numeric: true,
    cell: ({ lineId }) => forecasts.get(lineId) ?? <span class="soft">–</span>,
    note({ lineId, booked }) {
      const atEnd = forecasts.get(lineId)
      return atEnd !== undefined && booked ? `${formatPercent(atEnd / booked)} of booked` : null
    },
  }
  const line: Column<ShownLine> = { title: "Line", value: ({ name }) => name, href: () => null, note: formatPrice }
  return [line, state, delivered, forecast, value, flight]
}

/** As of 14 Nov 2026, 23:59. */
const asOfText = ({ measuredAt }: CampaignSummary, zone: TimeZone) =>
  measuredAt === null ? "No totals yet." : `As of ${timeInWords(measuredAt, zone)}.`

/** What was delivered of each unit, of all lines. */
function unitsOf(lines: readonly ShownLine[]): Fact[] {
  const counted = lines.filter(({ pricingBasis }) => pricingBasis !== "flat_rate")
  return [...Map.groupBy(counted, ({ pricingBasis }) => pricingBasis)].map(([basis, some]) => {
    const booked = some.reduce((sum, line) => sum + (line.booked ?? 0), 0)
    return {
      term: `${PRICING_BASES[basis].label} so far`,
      value: formatNumber(some.reduce((sum, { total }) => sum + (total?.quantity ?? 0), 0)),
      note: some.every((line) => line.booked !== null) ? `of ${formatNumber(booked)} booked` : undefined,
    }
  })
}

function totals({ now }: Visit, summary: CampaignSummary, units: readonly Fact[], zone: TimeZone) {
  const { worth, from, to, measuredAt, state, lines } = summary
  const share = worth?.booked
    ? `${formatPercent(worth.delivered / worth.booked)} of ${formatSum(worth.booked, worth.currency)}`
    : undefined
  return (
    <Stats
      facts={[
        worth && { term: "Delivered so far", value: formatSum(worth.delivered, worth.currency), note: share },
        ...(worth === null ? units : []),
        from !== null && {
          term: "Flight",
          value: formatFlight(from, to, dayOf(now, zone).slice(0, 4)),
          note: <StateBadge state={state} isReported={measuredAt !== null} />,
        },
        { term: "Lines", value: formatNumber(lines) },
      ]}
    />
  )
}

const CHART_POINTS_MAX = 120
const LEGEND = [
  { label: "Total", mark: "total" },
  { label: "Even pace", mark: "plan" },
  { label: "Forecast", mark: "forecast" },
] as const

const PAGE = "/app/share/:token"

/** The frozen ones of the seller who shares. */
const sharedStatements = async ({ context }: Visit, { campaign, sellerId }: Pick<Shared, "campaign" | "sellerId">) =>
  (await context.store.statements.list([campaign.id], null)).filter((statement) => statement.sellerId === sellerId)

async function sharedStatement(visit: Visit, shared: Shared): Promise<Response> {
  const found = (await sharedStatements(visit, shared)).find(({ id }) => id === idParam(visit, "statement"))
  return found === undefined ? linkEnded(visit) : statementOutside(visit, found, await logoOf(visit, shared.sellerId))
}

const logoOf = async (visit: Visit, sellerId: number): Promise<string | null> =>
  (await visit.context.store.organizations.logo(sellerId)) && `/app/share/${param(visit, "token")}/logo`

async function findSharedLogo({ context: { store }, params, now }: Visit) {
  const opened = await store.shareLinks.findByToken(hashToken(params["token"] ?? ""), now)
  return opened === null ? null : store.organizations.logo(opened.organizationId)
}

export const sharedRoutes = [
  forAnyone("GET", `${PAGE}/logo`, withFound(findSharedLogo, logoResponse)),
  forAnyone("GET", PAGE, withFound(openShare, sharedPage, linkEnded)),
  forAnyone("GET", `${PAGE}/statements/:statement`, withFound(openShare, sharedStatement, linkEnded)),
  forAnyone(
    "GET",
    `${PAGE}/lines.csv`,
    withFound(openShare, (visit, { sellerId, campaign }) => campaignCsv(visit, sellerId, campaign, SHARED)),
  ),
]
