import {
  bookedValue,
  daysLeft,
  isInFlight,
  lineValue,
  offPlan,
  stateOf,
  stateToShow,
} from "../../../domain/campaign/line-state.ts"
import { lastDays, RECENT_DAYS } from "../../../domain/delivery/total-series.ts"
import { inParts } from "../../../domain/lists/in-parts.ts"
import type { CalendarDate, Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import type { PointsByLine } from "../campaigns/line-table.tsx"
import { FIGURES_HEADER, figuresOf, lineColumns, recentTotals, WorthText } from "../campaigns/line-table.tsx"
import { campaignsOf, lineHref } from "../campaigns/with-line.ts"
import { forMember } from "../guards.ts"
import { ButtonLink, Card, CsvLink, Empty } from "../parts/blocks.tsx"
import { signedPercent } from "../parts/charts/total-chart.tsx"
import { Ago, formatCount, formatDate, formatLongDate, formatNumber, formatShortDate, Time } from "../parts/format.tsx"
import { campaignAndBuyer } from "../parts/line.tsx"
import { BareTable, type Column, offsetOf, Pages } from "../parts/table.tsx"
import { valueCard } from "../parts/value-card.tsx"
import { goTo, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"
import type { Selling } from "./lines-in-flight.ts"
import { needsCard, needsRoutes, wholeLines, withSelling } from "./needs-list.tsx"

const LINES_PER_PAGE = 50

export const homeOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}`

/** Where a seller starts: what needs somebody, and everything that runs. Buyers start at their campaigns. */
async function home(visitor: OrganizationVisit): Promise<Response> {
  if (visitor.place?.onlyBuys === true) return goTo(visitor, campaignsOf(visitor), visitor.flash ?? undefined)
  const { visit, selling, needs } = await withSelling(visitor)
  return headedPage(visit, {
    title: "Today",
    intro: introOf(visit, selling, needs),
    actions: selling.running.length > 0 && [
      visit.role === "admin" && <ButtonLink icon="plus" href={`${homeOf(visit)}/new-campaign`} label="New campaign" />,
      <ButtonLink kind="primary" href={`${homeOf(visit)}/totals`} label="Report totals" />,
    ],
    body:
      selling.running.length > 0 || selling.needing > 0
        ? await whatRuns(visit, selling, needs)
        : [needs > 0 && (await needsCard(visit, selling, needs)), <NothingRuns visit={visit} />],
  })
}

async function whatRuns(visit: OrganizationVisit, selling: Selling, needs: number) {
  const { url } = visit
  const offset = offsetOf(url)
  const lines = await wholeLines(visit, selling.running.slice(offset, offset + LINES_PER_PAGE))
  const isFirst = offset === 0
  // Read once for everything on the first page.
  const points = await recentTotals(visit, isFirst ? selling.recent : lines)
  const dates = lastDays(selling.today, RECENT_DAYS)
  const value = isFirst ? await valueCard(visit, selling.recent, dates, points) : null
  const todos = isFirst && (await needsCard(visit, selling, needs, points))
  const sums = selling.worths.map((worth) => (
    <div>
      <WorthText worth={worth} />
    </div>
  ))
  return [
    value === null ? todos : <div class="cols wide-left">{[todos, value]}</div>,
    <Card
      flush
      title="Running lines"
      count={formatNumber(selling.running.length)}
      actions={<CsvLink href={`${homeOf(visit)}/running-lines.csv`} />}
    >
      <BareTable
        caption="Running lines"
        columns={columnsFor(visit, selling.today, points)}
        rows={lines}
        totals={sums.length === 0 ? undefined : { Line: "All running lines", "Value so far": sums }}
      />
    </Card>,
    <Pages url={url} perPage={LINES_PER_PAGE} count={selling.running.length} what="lines" />,
  ]
}

function columnsFor(visit: OrganizationVisit, today: CalendarDate, points: PointsByLine): Column<FlyingLine>[] {
  const { now } = visit
  const { state, sparkline, delivered, value } = lineColumns(now, points)
  return [
    { title: "Line", value: ({ name }) => name, href: (line) => lineHref(visit, line), note: campaignAndBuyer },
    state,
    sparkline,
    delivered,
    { title: "Pace", numeric: true, cell: (line) => <PaceCell line={line} now={now} /> },
    value,
    {
      title: "Ends",
      nowrap: true,
      cell: ({ flightEnd }) =>
        flightEnd === null ? <span class="soft">No end</span> : formatFlightDay(flightEnd, today),
      note: (line) => leftText(daysLeft(line, today)),
    },
    {
      title: "Measured",
      nowrap: true,
      narrow: "large",
      cell: ({ total }) => (total === null ? <span class="soft">Never</span> : <Ago at={total.asOf} />),
      note: ({ total }) => total !== null && <Time at={total.asOf} />,
    },
  ]
}

const leftText = (left: number | null) =>
  left === 1 ? "Last day" : left !== null && formatCount(left, "day left", "days left")

const formatFlightDay = (day: CalendarDate, today: CalendarDate) =>
  day.slice(0, 4) === today.slice(0, 4) ? formatShortDate(day) : formatDate(day)

function PaceCell({ line, now }: Readonly<{ line: FlyingLine; now: Moment }>) {
  const off = offPlan(line, line.seller.timeZone)
  if (off === null) return <span class="soft">–</span>
  return <span class={stateOf(line, now) === "behind" ? "tone warn" : undefined}>{signedPercent(off)}</span>
}

function introOf({ organization, now }: OrganizationVisit, selling: Selling, needs: number): string {
  const need = needs === 0 ? "Nothing needs you" : formatCount(needs, "thing needs you", "things need you")
  const running = selling.running.length
  const run = running === 0 ? "" : `, ${formatCount(running, "line is running", "lines are running")}`
  return `${formatLongDate(dayOf(now, organization.timeZone))}. ${need}${run}.`
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

const CSV_HEADER = `package_id,line,campaign,buyer,state,${FIGURES_HEADER},pace,value,booked_value,currency`

function runningCsv(visit: OrganizationVisit): Response {
  const { context, organization, now } = visit
  async function* rows() {
    const today = dayOf(now, organization.timeZone)
    const lines = await context.store.campaigns.inFlight(organization.id, { from: today, to: today })
    for (const some of inParts(lines, 1_000))
      yield some.filter((line) => isInFlight(line, now)).map((line) => csvRow(visit, line))
  }
  return longCsv(`${organization.slug}-running-lines.csv`, CSV_HEADER.split(","), rows())
}

function csvRow({ now }: OrganizationVisit, line: FlyingLine) {
  const { packageId, name, campaign, currency, total } = line
  const state = stateToShow(stateOf(line, now), total !== null)
  const off = offPlan(line, line.seller.timeZone)
  // The share off the plan, as on the page: -0.17 is 17% behind.
  const pace = off === null ? null : Math.round(off * 10_000) / 10_000
  const worth = [lineValue(line), bookedValue(line), currency]
  return [packageId, name, campaign.name, campaign.buyer.name, state, ...figuresOf(line), pace, ...worth]
}

export const homeRoutes = [
  ...needsRoutes,
  forMember("GET", "/app/o/:org", home),
  forMember("GET", "/app/o/:org/running-lines.csv", runningCsv),
]
