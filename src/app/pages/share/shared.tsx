import { type Forecast, forecastOf } from "../../../domain/campaign/line-state.ts"
import { type CampaignSummary, summaryOf } from "../../../domain/campaign/summary.ts"
import type { Logo } from "../../../domain/people/organization.ts"
import { hashToken } from "../../../domain/people/session.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { type OpenedShareLink, openShareLink } from "../../../storage/campaigns/campaigns.ts"
import { linesOf, type StoredLine } from "../../../storage/campaigns/lines.ts"
import { days, type LineDays } from "../../../storage/delivery/days.ts"
import { logoOf } from "../../../storage/organizations.ts"
import { type Statement, statementsOfCampaign } from "../../../storage/sales.ts"
import { logoResponse } from "../../assets.ts"
import { csvFile } from "../../list.ts"
import { page } from "../../page.tsx"
import { Card, CsvLink, type Fact, Facts, PrintButton } from "../../parts/blocks.tsx"
import { LineChart } from "../../parts/charts/line-chart.tsx"
import { Legend } from "../../parts/charts/plot.tsx"
import {
  formatDate,
  formatFlight,
  formatLongTime,
  formatMoney,
  formatNumber,
  formatPercent,
  sumsInWords,
} from "../../parts/format.tsx"
import { BASES, priceInWords, StateBadge } from "../../parts/line.tsx"
import { lineColumns, lineFileColumns, sumOfCampaign } from "../../parts/line-columns.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { LinkGone, type PageHandler, type Visit } from "../../visit.ts"

/** The content of a shared page: the lines of one seller in one campaign, even if the seller sees other lines in it. */
interface SharedReport {
  readonly link: OpenedShareLink
  readonly lines: readonly StoredLine[]
  /** With archived lines, which aren't listed but belong to the sums. */
  readonly whole: readonly StoredLine[]
  readonly totals: LineDays
  readonly summary: CampaignSummary
  readonly logo: Logo | null
  /** Only statements whose lines all belong to the campaign. */
  readonly statements: readonly Statement[]
}

/** Opens the link in the path. Its page shows times in the seller's time zone, and nothing of the visitor. */
const withReport =
  (handler: (visit: Visit, report: SharedReport) => Response | Promise<Response>): PageHandler<Visit> =>
  async (visit) => {
    const { read } = visit
    const link = await openShareLink(read, hashToken(visit.params["token"] ?? ""), visit.now)
    if (link === null) throw new LinkGone()
    const all = await linesOf(read, link.organizationId, link.campaignId)
    const whole = all.filter(({ sellerId }) => sellerId === link.organizationId)
    const lines = whole.filter(({ isArchived }) => !isArchived)
    const today = dayOf(visit.now, link.timeZone)
    const totals = await days(
      read,
      lines.map(({ id }) => id),
      "0001-01-01",
      today,
    )
    const summary = summaryOf(lines, visit.now, whole)
    const logo = await logoOf(read, link.organizationId)
    const statements = await statementsOfCampaign(read, link.organizationId, link.campaignId)
    return handler({ ...visit, timeZone: link.timeZone }, { link, lines, whole, totals, summary, logo, statements })
  }

export const sharedPage = withReport((visit, report) => {
  const { link, lines, whole, summary, logo } = report
  const { pathname } = visit.url
  const columns = columnsOf(visit, report)
  return page(visit, {
    title: `${link.campaign}: campaign report`,
    sheet: {
      seller: link.seller,
      logo: logo && `${pathname}/logo`,
      heading: link.campaign,
      buttons: (
        <>
          <CsvLink href={`${pathname}/lines.csv`} />
          <PrintButton />
        </>
      ),
    },
    intro: `Campaign report for ${link.buyer}. ${asOfInWords(visit, summary)}`,
    hasTimes: true,
    body: (
      <>
        <Facts isLarge facts={factsOf(visit, report)} />
        <Card label="Lines" isFlush>
          <Table caption="Lines" columns={columns} rows={lines} totals={sumOfCampaign(whole)} />
        </Card>
        {chartsCard(visit, report)}
        {report.statements.length > 0 && (
          <Card title="Statements" isFlush>
            <Table caption="Statements" columns={STATEMENT_COLUMNS} rows={report.statements} />
          </Card>
        )}
        <p class="hint">
          Delivery is as reported by {link.seller}, and corrections replace earlier totals. Value is the delivery at the
          agreed price, up to the booked quantity. This page is available until{" "}
          {formatDate(dayOf(link.expiresAt, link.timeZone))}. Reported with <b>Adbooth</b>.
        </p>
      </>
    ),
  })
})

/** The file holds the lines of the page. */
export const sharedFile = withReport((visit, report) =>
  csvFile(report.link.campaignSlug, columnsOf(visit, report), report.lines),
)

/** The seller's picture, for every holder of the link. */
export const sharedLogo = withReport(({ read }, { link }) => logoResponse(read, link.organizationId))

const STATEMENT_COLUMNS: readonly Column<Statement>[] = [
  { title: "Number", cell: ({ number }) => number },
  { title: "Delivered through", cell: ({ through }) => formatDate(through) },
  { title: "Amount", isNumber: true, cell: ({ body }) => sumsInWords(body.sums) },
]

const asOfInWords = (visit: Visit, { measuredAt }: CampaignSummary): string =>
  measuredAt === null ? "No totals yet." : `As of ${formatLongTime(measuredAt, visit.timeZone)}.`

function factsOf(visit: Visit, { lines, whole, summary }: SharedReport): (Fact | false)[] {
  const { from, to, state, measuredAt, values } = summary
  const delivered = values.map(({ delivered, booked, share, currency }) => ({
    term: "Delivered so far",
    value: formatMoney(delivered, currency),
    note: booked && share !== null ? `${formatPercent(share)} of ${formatMoney(booked, currency)}` : undefined,
  }))
  const today = dayOf(visit.now, visit.timeZone)
  const badge = <StateBadge state={state} isReported={measuredAt !== null} />
  return [
    ...(delivered.length > 0 ? delivered : quantityFacts(whole)),
    from !== null && { term: "Flight", value: formatFlight(from, to, today), note: badge },
    { term: "Lines", value: formatNumber(lines.length) },
  ]
}

/** The quantity delivered in each unit, for lines without prices. */
function quantityFacts(lines: readonly StoredLine[]): Fact[] {
  const counted = lines.filter(({ pricingBasis }) => pricingBasis !== "flat_rate")
  return [...Map.groupBy(counted, ({ pricingBasis }) => pricingBasis)].map(([basis, ofBasis]) => {
    const delivered = ofBasis.reduce((sum, { total }) => sum + (total?.quantity ?? 0), 0)
    const booked = ofBasis.reduce((sum, line) => sum + (line.booked ?? 0), 0)
    const isBooked = ofBasis.every((line) => line.booked !== null)
    return {
      term: `${BASES[basis].label} so far`,
      value: formatNumber(delivered),
      note: isBooked ? `of ${formatNumber(booked)} booked` : undefined,
    }
  })
}

function columnsOf(visit: Visit, { lines, totals }: SharedReport): readonly Column<StoredLine>[] {
  const { state, delivered, value, flight, measured } = lineColumns(visit.now, totals)
  const forecasts = new Map(lines.map((line) => [line.id, forecastOf(line, totals.get(line.id) ?? [], visit.now)]))
  return [
    {
      title: "Line",
      cell: (line) => (
        <>
          <b>{line.name}</b>
          <small>{priceInWords(line)}</small>
        </>
      ),
      csv: ({ name }) => name,
    },
    ...lineFileColumns(null),
    state,
    delivered,
    {
      title: "Forecast",
      isNumber: true,
      cell: (line) => forecastCell(line, forecasts.get(line.id) ?? null),
    },
    value,
    flight,
    { title: "Measured", ...(measured.csv && { csv: measured.csv }) },
  ]
}

function forecastCell({ booked }: StoredLine, forecast: Forecast | null) {
  if (forecast === null) return <span class="soft">–</span>
  return (
    <>
      {formatNumber(forecast.atEnd)}
      {booked !== null && booked > 0 && <small>{formatPercent(forecast.atEnd / booked)} of booked</small>}
    </>
  )
}

const CHARTS_MAX = 6
const MARKS = [
  { label: "Total", mark: "total" },
  { label: "Even pace", mark: "plan" },
  { label: "Forecast", mark: "forecast" },
] as const

function chartsCard(visit: Visit, { lines, totals }: SharedReport) {
  const isDrawn = ({ id, pricingBasis }: StoredLine) => pricingBasis !== "flat_rate" && totals.has(id)
  const drawn = lines.filter(isDrawn).slice(0, CHARTS_MAX)
  if (drawn.length === 0) return null
  return (
    <Card title="Delivery over the flight" actions={<Legend entries={MARKS} />}>
      <div class="cols">
        {drawn.map((line) => {
          const measured = totals.get(line.id) ?? []
          return (
            <div class="stack">
              <h3>{line.name}</h3>
              <LineChart line={line} totals={measured} forecast={forecastOf(line, measured, visit.now)} isLow />
            </div>
          )
        })}
      </div>
    </Card>
  )
}
