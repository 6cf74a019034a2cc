import { courseOf, type LineCourse } from "../../../domain/delivery/line-course.ts"
import { type DayTotal, firstDayOf } from "../../../domain/delivery/total-series.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownLine } from "../../../storage/port/store.ts"
import { forMember } from "../guards.ts"
import { deliveryCurl } from "../organization/keys.tsx"
import { Badge, ButtonLink, Card, Copyable, Fold } from "../parts/blocks.tsx"
import { Legend } from "../parts/charts/plot.tsx"
import { addedText, TotalChart } from "../parts/charts/total-chart.tsx"
import { ALL_YEARS, dotted, formatFlight, formatNumber } from "../parts/format.tsx"
import { formatPrice, LineBadge, LineProgress } from "../parts/line.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { headedPage } from "../respond.tsx"
import { gridOfLine } from "../totals/grid.tsx"
import type { Visit } from "../visit.ts"
import { csv } from "../write-csv.ts"
import { historyCsv, historySection } from "./line-history.tsx"
import { LINE, type LineVisit, trailTo, withLine } from "./with-line.ts"

async function linePage(place: LineVisit): Promise<Response> {
  const { visit, campaign, line, href } = place
  const isSeller = line.seller.id === visit.organization.id
  const [history, course] = await Promise.all([historySection(place), courseOfLine(visit, line)])
  return headedPage(visit, {
    title: `${line.name}, ${campaign.name}`,
    heading: line.name,
    trail: trailTo(visit, campaign),
    badges: [<LineBadge line={line} now={visit.now} />, line.archived && <Badge shape="dash">Archived</Badge>],
    actions: isSeller && visit.role === "admin" && <ButtonLink icon="edit" href={`${href}/edit`} label="Edit" />,
    intro: soldAs(place),
    body: [
      <LineProgress line={line} course={course} now={visit.now} zone={visit.zone} />,
      lineChart(place, course),
      isSeller && (
        <section id="report" class="stack no-print" aria-label={reportLabel(line)}>
          {!isMarked(line) && (await gridOfLine(visit, { ...line, campaign }))}
          {fromProgram(place)}
        </section>
      ),
      history,
    ],
  })
}

/** A flat rate that was marked as delivered is so until that is withdrawn. */
export const isMarked = ({ pricingBasis, total }: Pick<ShownLine, "pricingBasis" | "total">) =>
  pricingBasis === "flat_rate" && total !== null

const reportLabel = ({ pricingBasis }: ShownLine) =>
  pricingBasis === "flat_rate" ? "Mark as delivered" : "Report totals"

/** Bought by Fernweh Travel · 12 Oct – 5 Dec · €14.50 per 1,000 impressions */
function soldAs({ visit, campaign, line }: LineVisit): string {
  const isBuyer = campaign.buyer.id === visit.organization.id
  return dotted(
    isBuyer ? `Sold by ${line.seller.name}` : `Bought by ${campaign.buyer.name}`,
    formatFlight(line.flightStart, line.flightEnd, dayOf(visit.now, line.seller.timeZone).slice(0, 4)),
    formatPrice(line),
    ...(line.externalId !== null && line.seller.id === visit.organization.id ? [`your ID ${line.externalId}`] : []),
  )
}

function fromProgram({ line, visit }: LineVisit) {
  const example = deliveryCurl(`${visit.origin}/api/ingest/delivery/metrics`, "$ADBOOTH_KEY", line)
  return (
    <Fold title="Send by API" note="line ID, example request">
      <Copyable id="package-id" label="Line ID for the API" text={line.packageId} />
      <Copyable id="curl" label="Example request" text={example} />
      <p class="hint">
        Replace <code>$ADBOOTH_KEY</code> with an API key. Admins create them under Settings, API keys.
      </p>
    </Fold>
  )
}

export const lineRoutes = [
  forMember("GET", LINE, withLine(linePage)),
  forMember("GET", `${LINE}/totals.csv`, withLine(totalsCsv)),
  forMember("GET", `${LINE}/history.csv`, withLine(historyCsv)),
]

const CHART_POINTS_MAX = 160

// The reports of each of so few days are shown; of more, the last total of each day.
const DAYS_WITH_EVERY_REPORT = 7

/** Made of every report while there are few days, and else of the last total of each day. */
export async function courseOfLine({ context: { store } }: Visit, line: ShownLine, most = CHART_POINTS_MAX) {
  const { lineId } = line
  const { timeZone } = line.seller
  const days = (await store.deliveryHistory.days([lineId])).get(lineId) ?? []
  const isShort = days.length <= DAYS_WITH_EVERY_REPORT
  const totals = isShort ? await store.deliveryHistory.ofDays(lineId, days, timeZone) : days
  return courseOf(line, totals, timeZone, most)
}

/** A line where its totals are at `href`. */
export type ChartedLine = Readonly<{ visit: Visit; line: ShownLine; href: string }>

/** The total over the flight, per day, the plan and the forecast, as a chart and as a table of the same points. */
export function lineChart({ line, href, visit }: ChartedLine, course: LineCourse) {
  const { series, forecast } = course
  if (series.length === 0) return null
  const hasPlan = series.some(({ expected }) => expected !== null)
  const columns = hasPlan ? DAY_COLUMNS : DAY_COLUMNS.slice(0, -1)
  const entries = [
    { label: "Total", mark: "total" } as const,
    ...(hasPlan ? [{ label: "Even pace", mark: "plan" } as const] : []),
    ...(forecast === null ? [] : [{ label: "Forecast", mark: "forecast" } as const]),
    { label: "Per day", mark: "b1" } as const,
  ]
  return (
    <Card title="Delivery over the flight" actions={<Legend entries={entries} />}>
      <TotalChart line={line} course={course} now={visit.now} />
      <details class="no-print">
        <summary class="small soft">Show as a table</summary>
        <div class="stack tight">
          <BareTable caption="Totals per day" columns={columns} rows={course.days.toReversed()} dense />
          <p>
            <a href={`${href}/totals.csv`}>Download these totals as CSV</a>
          </p>
        </div>
      </details>
    </Card>
  )
}

const DAY_COLUMNS: readonly Column<DayTotal>[] = [
  { title: "Day", cell: (day) => formatFlight(firstDayOf(day), day.day, ALL_YEARS) },
  { title: "Total", cell: ({ total }) => formatNumber(total), numeric: true },
  { title: "Added", cell: addedText, numeric: true },
  { title: "Plan", cell: ({ expected }) => (expected === null ? "–" : formatNumber(expected)), numeric: true },
]

export async function totalsCsv({ line, visit }: Omit<ChartedLine, "href">): Promise<Response> {
  const rows = (await courseOfLine(visit, line)).days.map((of) => {
    const { day, asOf, total, expected, added, covers } = of
    return [line.packageId, day, formatMoment(asOf), total, expected, added, firstDayOf(of), covers]
  })
  const header = "package_id,day,as_of,delivered,expected,added,added_since,added_days".split(",")
  return csv(`${line.packageId}-totals.csv`, header, rows)
}
