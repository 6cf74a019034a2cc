import { type DailyValue, dailyValues, lastDays } from "../../../domain/campaign/daily-value.ts"
import { bookedValue, isInFlight, lineValue, offPlan, stateOf } from "../../../domain/campaign/line-state.ts"
import { type CalendarDate, formatMoment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { campaignsOf, sparklinePoints } from "../campaigns/campaign.tsx"
import { offsetOf } from "../paging.ts"
import { Card } from "../parts/blocks.tsx"
import { ButtonLink } from "../parts/buttons.tsx"
import { DayBars } from "../parts/charts/bars.tsx"
import { Empty } from "../parts/feedback.tsx"
import { formatCount, formatDate, formatLongDate, formatSum } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { BareTable, Pages } from "../parts/table.tsx"
import { goTo } from "../respond.ts"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"
import { type Selling, sellingNow } from "./lines-in-flight.ts"
import { RunningLines } from "./lines-table.tsx"
import { NEEDS_SHOWN, needsCard, needsRoutes } from "./needs-list.tsx"

const LINES_PER_PAGE = 50

export const homeOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}`

/** Where a seller starts: what needs somebody, and everything that runs. Buyers start at their campaigns. */
async function home(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, now, place, flash } = visit
  if (place?.onlyBuys === true) return goTo(visit, campaignsOf(visit), flash ?? undefined)
  const offset = offsetOf(visit.url)
  const selling = await sellingNow(context, organization, now, { offset, limit: LINES_PER_PAGE, named: NEEDS_SHOWN })
  return headedPage(visit, {
    title: "Today",
    intro: introOf(visit, selling),
    actions: selling.running > 0 && (
      <>
        {visit.role === "admin" && (
          <ButtonLink icon="plus" href={`${homeOf(visit)}/new-campaign`} label="New campaign" />
        )}
        <ButtonLink kind="primary" href={`${homeOf(visit)}/totals`} label="Report totals" />
      </>
    ),
    body:
      selling.running === 0 && selling.needing === 0 ? <NothingRuns visit={visit} /> : await whatRuns(visit, selling),
  })
}

async function whatRuns(visit: OrganizationVisit, selling: Selling) {
  const { url } = visit
  const offset = offsetOf(url)
  const { shown } = selling
  const points = await sparklinePoints(
    visit,
    shown.map(({ line }) => line),
  )
  const value = await valueCard(visit, selling.today)
  const needs = await needsCard(visit, selling)
  return (
    <>
      {offset === 0 && (value === null ? needs : <div class="cols wide-left">{[needs, value]}</div>)}
      <RunningLines visit={visit} selling={selling} points={points} csv={`${homeOf(visit)}/running-lines.csv`} />
      <Pages url={url} perPage={LINES_PER_PAGE} count={selling.running} what="lines" />
    </>
  )
}

function introOf({ organization, now }: OrganizationVisit, { needing, running }: Selling): string {
  const need = needing === 0 ? "Nothing needs you" : formatCount(needing, "thing needs you", "things need you")
  const run = formatCount(running, "line is running", "lines are running")
  return `${formatLongDate(dayOf(now, organization.timeZone))}. ${need}, ${run}.`
}

function NothingRuns({ visit }: { readonly visit: OrganizationVisit }) {
  const isAdmin = visit.role === "admin"
  return (
    <Empty title="No lines are running" text="Lines that run today are listed here, with what needs you first.">
      {isAdmin && <ButtonLink kind="primary" href={`${homeOf(visit)}/new-campaign`} label="New campaign" />}
      <ButtonLink href={campaignsOf(visit)} label="All campaigns" />
    </Empty>
  )
}

const CSV_HEADER =
  "package_id,line,campaign,buyer,state,pricing_basis,flight_start,flight_end,booked,delivered,as_of,pace,value,booked_value,currency"

function runningCsv(visit: OrganizationVisit): Response {
  const { context, organization, now } = visit
  async function* rows() {
    const today = dayOf(now, organization.timeZone)
    const lines = await context.store.campaigns.inFlight(organization.id, { from: today, to: today })
    yield lines.filter((line) => isInFlight(line, now)).map((line) => csvRow(visit, line))
  }
  return longCsv(`${organization.slug}-running-lines.csv`, CSV_HEADER.split(","), rows())
}

function csvRow({ now }: OrganizationVisit, line: FlyingLine) {
  const off = offPlan(line, line.seller.timeZone)
  return [
    line.packageId,
    line.name,
    line.campaign.name,
    line.campaign.buyer.name,
    stateOf(line, now),
    line.pricingBasis,
    line.flightStart,
    line.flightEnd,
    line.booked,
    line.total?.quantity ?? null,
    line.total === null ? null : formatMoment(line.total.asOf),
    // The share off the plan, as on the page: -0.17 is 17% behind.
    off === null ? null : Math.round(off * 10_000) / 10_000,
    lineValue(line),
    bookedValue(line),
    line.currency,
  ]
}

export const homeRoutes = [
  ...needsRoutes,
  forMember("GET", "/app/o/:org", home),
  forMember("GET", "/app/o/:org/running-lines.csv", runningCsv),
]

const DAYS = 14
// With more lines, reading two weeks of all of them would keep the page waiting.
const LINES_MAX = 200

/** What the last two weeks were worth, day by day. Null where there is nothing to show, or too much to read. */
async function valueCard(visit: OrganizationVisit, today: CalendarDate) {
  const values = await recentValues(visit, today)
  const [main, ...others] = values ?? []
  if (main === undefined) return null
  return (
    <Card title="Value delivered">
      <p>
        <span class="figure mid">{formatSum(main.sum, main.currency)}</span>
        {others.map(({ currency, sum }) => (
          <span class="soft" key={currency ?? ""}>
            {" "}
            and {formatSum(sum, currency)}
          </span>
        ))}
      </p>
      <DayBars
        title={`On each of the last ${DAYS} days`}
        series={[{ label: "Value", tone: "b1" }]}
        days={main.days.map(({ date, value }) => ({ date, values: [Math.max(value, 0)] }))}
        format={(value) => formatSum(value, main.currency)}
        currency={main.currency}
      />
      <details>
        <summary class="small soft">Show as a table</summary>
        <ValueTable values={values ?? []} />
      </details>
    </Card>
  )
}

function ValueTable({ values }: { readonly values: readonly DailyValue[] }) {
  const dates = values[0]?.days.map(({ date }) => date) ?? []
  return (
    <BareTable
      caption={`Value delivered on each of the last ${DAYS} days`}
      columns={[
        { title: "Day", cell: (date) => formatDate(date) },
        ...values.map(({ currency, days }) => ({
          title: currency === null ? "Value" : `Value, ${currency}`,
          numeric: true,
          cell: (date: CalendarDate) => formatSum(days.find((day) => day.date === date)?.value ?? 0, currency),
        })),
      ]}
      rows={dates}
      rowKey={(date) => date}
      dense
    />
  )
}

async function recentValues(visit: OrganizationVisit, today: CalendarDate): Promise<DailyValue[] | null> {
  const { context, organization } = visit
  const dates = lastDays(today, DAYS)
  // Lines that ended in these days earned something on them, too.
  const range = { from: dates[0] ?? today, to: today, limit: LINES_MAX + 1 }
  const lines = await context.store.campaigns.listedInFlight(organization.id, range)
  if (lines.length > LINES_MAX) return null
  // And one before: a day is what came since then.
  const ids = lines.map(({ lineId }) => lineId)
  const totals = await context.store.deliveryHistory.days(ids, DAYS + 1)
  const histories = lines.map((line) => {
    const reports = totals.get(line.lineId) ?? []
    return { line, reports, isWhole: reports.length <= DAYS }
  })
  return dailyValues(histories, dates)
}
