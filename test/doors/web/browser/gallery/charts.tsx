import { courseOf } from "../../../../../src/domain/delivery/line-course.ts"
import { MICROS_PER_DAY, type Moment } from "../../../../../src/domain/time/moment.ts"
import { Card, Facts, Stats } from "../../../../../src/doors/web/parts/blocks.tsx"
import { DayBars, PaceBar, RankedBars, Sparkline } from "../../../../../src/doors/web/parts/charts/bars.tsx"
import { Legend } from "../../../../../src/doors/web/parts/charts/plot.tsx"
import { TotalChart } from "../../../../../src/doors/web/parts/charts/total-chart.tsx"
import { formatNumber } from "../../../../../src/doors/web/parts/format.tsx"

const ZONE = "Europe/Berlin"
const START = Date.UTC(2026, 9, 11, 22) * 1_000
const WEEK = [7_400, 6_600, 6_900, 7_450, 6_200, 4_400, 3_200]

/** Five weeks of a line with quiet weekends. */
function reports() {
  let quantity = 0
  return Array.from({ length: 34 }, (_, day) => {
    quantity += WEEK[day % WEEK.length] ?? 0
    return { quantity, asOf: (START + (day + 1) * MICROS_PER_DAY - 1) as Moment }
  })
}

const LINE = {
  lineId: 0,
  externalId: null,
  archived: false,
  packageId: "4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e02",
  name: "City Walks, pre-roll",
  pricingBasis: "impressions",
  flightStart: "2026-10-12",
  flightEnd: "2026-12-05",
  booked: 420_000,
  rate: 14.5,
  currency: "EUR",
  seller: { id: 0, slug: "lighthouse-audio", name: "Lighthouse Audio", timeZone: ZONE },
  total: reports().at(-1) ?? null,
} as const

const DAYS = Array.from({ length: 14 }, (_, i) => ({
  date: `2026-11-${String(i + 1).padStart(2, "0")}`,
  values: [WEEK[i % 7] ?? 0, i % 4 === 1 ? 900 : 0],
}))

export function Charts() {
  const course = courseOf(LINE, reports(), ZONE, 160)
  const recent = WEEK.concat(WEEK)
  return (
    <>
      <Stats
        facts={[
          { term: "Delivered so far", value: "€9,384.85", note: "67% of €13,910.00" },
          { term: "Time passed", value: "62%", note: "34 of 55 days" },
          { term: "Lines", value: "3", note: "1 on pace, 1 behind" },
        ]}
      />
      <Card label="A figure with its pace">
        <p>
          <span class="figure">216,363</span> <span class="soft">of 420,000 impressions booked · 52%</span>
        </p>
        <PaceBar delivered={0.515} planned={0.618} isBehind big plan="Plan: 259,636" />
        <Facts
          facts={[
            { term: "Pace", value: "−17%", note: "43,273 fewer than planned", tone: "warn" },
            { term: "Value so far", value: "€3,137.26", note: "of €6,090.00" },
          ]}
        />
        <PaceBar delivered={0.64} planned={0.62} />
        <PaceBar delivered={1.04} planned={0.77} />
        <p class="with">
          <Sparkline label="Last 14 days" values={recent} />
          <Sparkline label="Last 14 days, silent for two" values={[...recent.slice(0, 12), null, null]} />
        </p>
        <progress max={100} value={64} aria-label="Reading the file" />
      </Card>
      <Card
        title="Delivery over the flight"
        actions={
          <Legend
            entries={[
              { label: "Total", mark: "total" },
              { label: "Even pace", mark: "plan" },
              { label: "Forecast", mark: "forecast" },
              { label: "Per day", mark: "b1" },
            ]}
          />
        }
      >
        <TotalChart line={LINE} course={course} now={(START + 34.5 * MICROS_PER_DAY) as Moment} />
      </Card>
      <div class="cols">
        <Card label="Bars by outcome">
          <DayBars
            title="Rows by outcome"
            series={[
              { label: "Accepted", tone: "b1" },
              { label: "Rejected", tone: "b3" },
            ]}
            days={DAYS}
            format={formatNumber}
          />
        </Card>
        <Card title="Ranked bars">
          <RankedBars
            bars={[
              { label: "Germany", value: 74 },
              { label: "Austria", value: 41 },
              { label: "France", value: 14, missing: "nothing open" },
            ]}
          />
        </Card>
      </div>
    </>
  )
}
