import { demandSince } from "../../../actions/operations/call-log.ts"
import { weeksBefore } from "../../../domain/demand/demand.ts"
import {
  type DemandSummary,
  type DemandWeek,
  demandWeeks,
  summarizeDemand,
} from "../../../domain/demand/demand-summary.ts"
import type { AskedBrief, DemandTally } from "../../../domain/demand/demand-tally.ts"
import { AGENT_SALES } from "../frame/navigation.ts"
import { offsetOf, withQuery } from "../paging.ts"
import { Card, Fact, Stats } from "../parts/blocks.tsx"
import { CsvLink } from "../parts/buttons.tsx"
import { DayBars } from "../parts/charts/bars.tsx"
import { Empty } from "../parts/feedback.tsx"
import { Segments } from "../parts/form/filters.tsx"
import { formatCount, formatMoney, formatNumber, formatPercent, formatShortDate } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { BareTable, type Column, listCsv, Pages } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { briefCsvColumns, type Known, matchedColumns, unmatchedColumns } from "./briefs.tsx"
import { Rankings } from "./rankings.tsx"

const BRIEFS_PER_PAGE = 10
// A chart of one week would be one bar.
const CHART_WEEKS_MIN = 12

const PERIODS = [
  { name: "1w", label: "1 week", weeks: 1 },
  { name: "4w", label: "4 weeks", weeks: 4 },
  { name: "1y", label: "1 year", weeks: 52 },
] as const

const periodOf = ({ searchParams }: URL) =>
  PERIODS.find(({ name }) => name === searchParams.get("period")) ?? PERIODS[1]

const firstWeek = ({ url, now }: PersonVisit) => weeksBefore(now, periodOf(url).weeks - 1)

async function knownTo({ context }: PersonVisit): Promise<Known> {
  const products = await context.store.catalogue.products()
  const keys = await context.store.agentKeys.list()
  const fieldsOf = (body: unknown) => (body ?? {}) as { readonly name?: string; readonly channels?: readonly string[] }
  return {
    keyNames: new Map(keys.map(({ id, label }) => [id, label])),
    productNames: new Map(products.map(({ productId, body }) => [productId, fieldsOf(body).name ?? productId])),
    offer: {
      channelsOf: new Map(products.map(({ productId, body }) => [productId, fieldsOf(body).channels ?? []])),
      openingsOf: new Map(keys.map(({ id, openings }) => [id, openings])),
    },
  }
}

async function show(visit: PersonVisit): Promise<Response> {
  const { context, url, now } = visit
  const period = periodOf(url)
  const { callLogDays } = context.config
  const weeks = Math.min(Math.max(period.weeks, CHART_WEEKS_MIN), Math.ceil(callLogDays / 7) + 1)
  const tally = await demandSince(context, weeksBefore(now, weeks - 1))
  const counts = tally.counts()
  const summary = summarizeDemand(counts.filter(({ week }) => week >= firstWeek(visit)))
  const segments = PERIODS.map(({ name, label }) => ({
    href: withQuery(url, "period", name),
    label,
    isCurrent: name === period.name,
  }))
  return headedPage(visit, {
    title: "Agent sales",
    active: AGENT_SALES,
    intro: `What buyers’ agents asked for, and whether you had it. Learn here what to package next. Counted from the calls that are kept: at most those of the last ${formatCount(callLogDays, "day")}.`,
    actions: (
      <>
        <Segments label="Period" segments={segments} />
        <CsvLink href={`${AGENT_SALES}.csv${url.search}`} label="CSV" />
      </>
    ),
    body:
      counts.length === 0 ? (
        <Empty title="Nobody has asked yet" text="What buyers’ agents ask for with get_products shows up here." />
      ) : (
        <>
          <Figures summary={summary} />
          <WeekChart weeks={demandWeeks(counts, weeks, now)} />
          {await lists(visit, tally, summary)}
        </>
      ),
  })
}

function Figures({ summary }: { readonly summary: DemandSummary }) {
  const { matched, nothing, refused, keys, withoutKey, medianBudget } = summary
  const answered = matched + nothing
  return (
    <Stats>
      <Fact term="Matched nothing" note={`of ${formatCount(answered, "call")}`} tone={nothing > 0 ? "warn" : undefined}>
        {formatNumber(nothing)}
      </Fact>
      <Fact term="Matched" note={refused === 0 ? undefined : `${formatNumber(refused)} more answered with an error`}>
        {answered === 0 ? "–" : formatPercent(matched / answered)}
      </Fact>
      <Fact
        term="Asked by"
        note={withoutKey === 0 ? undefined : `and ${formatCount(withoutKey, "call")} without a key`}
      >
        {formatCount(keys, "key")}
      </Fact>
      <Fact
        term="Median budget"
        note={medianBudget === null ? undefined : `given in ${formatCount(medianBudget.calls, "call")}, to two digits`}
      >
        {medianBudget === null ? "Not given" : formatMoney(medianBudget.amount, medianBudget.currency)}
      </Fact>
    </Stats>
  )
}

const WEEK_COLUMNS: readonly Column<DemandWeek>[] = [
  { title: "Week of", value: ({ week }) => formatShortDate(week), nowrap: true },
  { title: "Matched", value: ({ matched }) => formatNumber(matched), numeric: true },
  { title: "Nothing matched", value: ({ nothing }) => formatNumber(nothing), numeric: true },
  { title: "Error", value: ({ refused }) => formatNumber(refused), numeric: true },
]

function WeekChart({ weeks }: { readonly weeks: readonly DemandWeek[] }) {
  return (
    <Card label="Calls per week">
      <h2 class="vh">Week by week</h2>
      <DayBars
        title="Calls per week"
        series={[
          { label: "Matched", tone: "b1" },
          { label: "Nothing matched", tone: "b2" },
          { label: "Error", tone: "b5" },
        ]}
        days={weeks.map(({ week, matched, nothing, refused }) => ({
          date: week,
          title: `Week of ${formatShortDate(week)}`,
          values: [matched, nothing, refused],
        }))}
        format={formatNumber}
      />
      <details class="no-print">
        <summary class="small soft">Show as a table</summary>
        <BareTable caption="Calls per week" columns={WEEK_COLUMNS} rows={weeks} rowKey={({ week }) => week} dense />
      </details>
    </Card>
  )
}

async function lists(visit: PersonVisit, tally: DemandTally, summary: DemandSummary) {
  const known = await knownTo(visit)
  return (
    <>
      <BriefList visit={visit} title="Nothing matched" tally={tally} unmatched columns={unmatchedColumns(known)} />
      <Rankings summary={summary} known={known} />
      <BriefList visit={visit} title="Matched" tally={tally} unmatched={false} columns={matchedColumns(known)} />
    </>
  )
}

interface BriefListProps {
  readonly visit: PersonVisit
  readonly title: string
  readonly tally: DemandTally
  readonly unmatched: boolean
  readonly columns: readonly Column<AskedBrief>[]
}

function BriefList({ visit, title, tally, unmatched, columns }: BriefListProps) {
  const { url } = visit
  const name = unmatched ? "unmatched" : "matched"
  const offset = offsetOf(url, name)
  const all = tally.briefs({ fromWeek: firstWeek(visit), unmatched })
  const briefs = all.slice(offset, offset + BRIEFS_PER_PAGE)
  const count = all.length
  return (
    <Card
      flush
      title={
        <>
          {title} <span class="soft plain">{formatCount(count, "brief")}</span>
        </>
      }
    >
      {briefs.length === 0 ? (
        <p class="card-foot soft">No briefs in this period.</p>
      ) : (
        <BareTable
          caption={`${title}: briefs by week, most asked first`}
          columns={columns}
          rows={briefs}
          rowKey={(brief) => `${offset + briefs.indexOf(brief)}`}
        />
      )}
      {count > BRIEFS_PER_PAGE && (
        <div class="card-foot">
          <Pages url={url} name={name} perPage={BRIEFS_PER_PAGE} count={count} what="briefs" />
        </div>
      )}
    </Card>
  )
}

/** Every brief of the period, those that matched nothing first. */
async function csv(visit: PersonVisit): Promise<Response> {
  const fromWeek = firstWeek(visit)
  const tally = await demandSince(visit.context, fromWeek)
  const briefs = [true, false].flatMap((unmatched) => tally.briefs({ fromWeek, unmatched }))
  return listCsv("demand", briefCsvColumns(await knownTo(visit)), briefs)
}

export const demandRoutes = [forOperator("GET", AGENT_SALES, show), forOperator("GET", `${AGENT_SALES}.csv`, csv)]
