import type { ComponentChildren } from "preact"
import { callLogDays } from "../../../actions/operations/agent-settings.ts"
import { demandSince } from "../../../actions/operations/call-log.ts"
import { nameOfCountry } from "../../../domain/countries.ts"
import type { DemandTally, Ranked } from "../../../domain/demand/demand-tally.ts"
import { MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { AGENT_KEYS, AGENT_SALES, PRODUCTS, REQUESTS } from "../frame/navigation.ts"
import { forOperator } from "../guards.ts"
import { ButtonLink, Card, CsvLink, Empty, Stats } from "../parts/blocks.tsx"
import { DayBars, type RankedBar, RankedBars } from "../parts/charts/bars.tsx"
import { Segments } from "../parts/form/filters.tsx"
import { formatCount, formatNumber, formatPercent, formatShortDate } from "../parts/format.tsx"
import { withQuery } from "../parts/table.tsx"
import type { PersonVisit } from "../visit.ts"
import { type Known, knownTo, Misses } from "./misses.tsx"
import { salesPage } from "./section.tsx"
import { formatInWords } from "./words.ts"

const MISSES_SHOWN = 5

/** How many days one can look back: as many as calls are kept. */
const periodsOf = (kept: number): number[] => [7, 30, 90].filter((days, i) => i === 0 || days <= kept)

/** The last days, as many as were chosen or given, today included. At most those of which calls are kept. */
async function daysOf({ context, url, now, zone }: PersonVisit, wanted?: number): Promise<string[]> {
  const kept = await callLogDays(context.store)
  const chosen = periodsOf(kept).find((days) => String(days) === url.searchParams.get("days")) ?? LATELY
  const count = Math.min(wanted ?? chosen, kept)
  return Array.from({ length: count }, (_, i) => dayOf(now - (count - 1 - i) * MICROS_PER_DAY, zone))
}

const demandOf = ({ context, zone }: PersonVisit, [first = ""]: readonly string[]) => demandSince(context, first, zone)

const LATELY = 7

export const latelyInWords = async (visit: PersonVisit) => formatCount((await daysOf(visit, LATELY)).length, "day")

/** How often each key asked, or each product was in an answer, lately, today included. */
export async function demandLately(visit: PersonVisit, what: "callers" | "products") {
  const tally = await demandOf(visit, await daysOf(visit, LATELY))
  return new Map(tally.ranked(what).map((counted) => [counted.value, counted]))
}

async function show(visit: PersonVisit): Promise<Response> {
  const catalogue = await knownTo(visit)
  const days = await daysOf(visit)
  const tally = await demandOf(visit, days)
  const segments = periodsOf(await callLogDays(visit.context.store)).map((period) => ({
    href: withQuery(visit.url, "days", period),
    label: `${period} days`,
    isCurrent: period === days.length,
  }))
  const [from, to] = [days[0], days.at(-1)].map((day = "") => formatShortDate(day))
  return salesPage(visit, {
    title: "Agent sales",
    tab: AGENT_SALES,
    intro: `What buyers’ agents asked you for, and whether you had it: ${from} to ${to}.`,
    actions: [
      segments.length > 1 && <Segments label="Period" segments={segments} />,
      catalogue.firstKey !== undefined && (
        <ButtonLink icon="eye" href={catalogue.firstKey} label="Ask as a buyer would" />
      ),
      <ButtonLink kind="primary" icon="plus" href={`${PRODUCTS}/new`} label="New product" />,
    ],
    body: tally.isEmpty ? (
      <Empty title="Nobody has asked yet" text="What buyers’ agents ask for shows up here. Each needs a buyer’s key.">
        <ButtonLink href={AGENT_KEYS} label="Buyers’ keys" />
      </Empty>
    ) : (
      asked(days, tally, catalogue)
    ),
  })
}

function asked(days: readonly string[], tally: DemandTally, catalogue: Known) {
  const unmatched = tally.misses()
  const bars = tally.byDay(days).map(({ date, ...of }) => ({
    date,
    values: [of.matched, of.nothing, of.refused],
  }))
  return [
    <Figures tally={tally} briefs={unmatched.length} />,
    unmatched.length > 0 && (
      <Card
        flush
        title="Found nothing"
        count={formatCount(unmatched.length, "brief")}
        actions={<CsvLink href={`${REQUESTS}.csv?result=nothing&from=${days[0]}`} />}
      >
        <Misses briefs={unmatched.slice(0, MISSES_SHOWN)} catalogue={catalogue} />
        {unmatched.length > MISSES_SHOWN && (
          <p class="card-foot">
            <a href={`${REQUESTS}?result=nothing`}>Show all</a>
          </p>
        )}
      </Card>
    ),
    <div class="cols">
      <Card label="Requests a day">
        <h2 class="vh">Requests a day</h2>
        <DayBars title="Requests a day" series={SERIES} days={bars} format={formatNumber} />
      </Card>
      {ranking("Products found", foundProducts(tally, catalogue), NEVER_FOUND)}
    </div>,
    <div class="cols">
      {ranking("Countries", rankedBars(tally.ranked("countries"), nameOfCountry))}
      {ranking("Channels", rankedBars(tally.ranked("formats"), formatInWords))}
    </div>,
  ]
}

function Figures({ tally, briefs }: { readonly tally: DemandTally; readonly briefs: number }) {
  const { matched, nothing, refused } = tally.outcomes()
  const callers = tally.ranked("callers")
  const keys = callers.filter(({ value }) => value !== "").length
  const withoutKey = callers.find(({ value }) => value === "")?.calls ?? 0
  const all = matched + nothing + refused
  const fact = (term: string, value: string, note: string | false) => ({ term, value, ...(note && { note }) })
  const missed = fact("Found nothing", formatNumber(nothing), nothing > 0 && formatCount(briefs, "different brief"))
  return (
    <Stats
      facts={[
        fact("Requests", formatNumber(all), refused > 0 && `${formatNumber(refused)} answered with an error`),
        fact("Found something", formatNumber(matched), all > 0 && `${formatPercent(matched / all)} of the requests`),
        { ...missed, tone: nothing > 0 ? "warn" : undefined },
        fact(
          "Asked by",
          formatCount(keys, "buyer’s key", "buyers’ keys"),
          withoutKey > 0 && `and ${formatCount(withoutKey, "request")} without a key`,
        ),
      ]}
    />
  )
}

const SERIES = [
  { label: "Found", tone: "b1" },
  { label: "Nothing", tone: "b2" },
  { label: "Refused", tone: "b5" },
] as const

const BARS_SHOWN = 8
const NEVER_SHOWN_MAX = 6

const ranking = (title: string, bars: readonly RankedBar[], note?: ComponentChildren) =>
  bars.length > 0 && (
    <Card title={title} actions={<span class="soft small">Requests</span>}>
      <RankedBars bars={bars} />
      {note}
    </Card>
  )

const NEVER_FOUND = (
  <p class="hint">
    A product that is never found is hidden from every buyer, or its description lacks the words that buyers use.
  </p>
)

/** Marked where no request that asked for it found anything. */
const rankedBars = (ranking: readonly Ranked[], nameOf: (value: string) => string): RankedBar[] =>
  ranking.slice(0, BARS_SHOWN).map(({ value, calls, unmatched }) => ({
    label: nameOf(value),
    value: calls,
    ...(unmatched === calls && { missing: "found nothing" }),
  }))

/** Where nothing fits a brief, products are sent all the same: that is not counted. */
function foundProducts(tally: DemandTally, { productNames }: Known): RankedBar[] {
  const found = tally
    .ranked("products")
    .map(({ value, calls, unmatched }) => ({ value, calls: calls - unmatched }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls)
  const ids = new Set(found.map(({ value }) => value))
  const never = [...productNames].filter(([id]) => !ids.has(id)).slice(0, NEVER_SHOWN_MAX)
  const often = found
    .slice(0, BARS_SHOWN)
    .map(({ value: id, calls: value }) => ({ label: productNames.get(id) ?? id, value }))
  return [...often, ...never.map(([, name]) => ({ label: name, value: 0, missing: "never found" }))]
}

export const salesRoutes = [forOperator("GET", AGENT_SALES, show)]
