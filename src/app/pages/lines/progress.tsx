import { FORECAST_DAYS, type Forecast } from "../../../domain/campaign/forecast.ts"
import { plannedAt, shareOffPlan, stateOf } from "../../../domain/campaign/line-state.ts"
import { bookedValue, deliveredValue } from "../../../domain/campaign/value.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { Card, type Fact, Facts } from "../../parts/blocks.tsx"
import {
  Ago,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPercentChange,
  formatShortDate,
  Time,
  useClock,
} from "../../parts/format.tsx"
import { flatRateInWords, LinePace } from "../../parts/line.tsx"

interface ProgressProps {
  readonly line: StoredLine
  readonly forecast: Forecast | null
}

/** The progress of a line: delivery, pace, forecast and value. */
export function Progress({ line, forecast }: ProgressProps) {
  const { now, timeZone } = useClock()
  return (
    <Card label="Progress">
      <p>
        <Delivered line={line} />
      </p>
      <LinePace line={line} isBig />
      <Facts
        facts={[
          ...paceFacts(line, now),
          ...forecastFacts(line, forecast),
          ...valueFacts(line),
          measuredFact(line),
          ...(line.timeZone === timeZone ? [] : [{ term: "Days end in", value: line.timeZone }]),
        ]}
      />
    </Card>
  )
}

function Delivered({ line }: { readonly line: StoredLine }) {
  const { total, booked, pricingBasis } = line
  const quantity = total?.quantity ?? 0
  if (pricingBasis === "flat_rate") return <span class="figure mid">{flatRateInWords(line)}</span>
  return (
    <>
      <span class="figure">{formatNumber(quantity)}</span>{" "}
      <span class="soft">
        {booked === null ? pricingBasis : `of ${formatNumber(booked)} ${pricingBasis} booked`}
        {booked !== null && booked > 0 && (
          <>
            {" · "}
            <b>{formatPercent(quantity / booked)}</b>
          </>
        )}
      </span>
    </>
  )
}

function paceFacts(line: StoredLine, now: Moment): Fact[] {
  const share = shareOffPlan(line)
  if (line.total === null || share === null) return []
  const missing = Math.round((plannedAt(line, line.total.asOf) ?? 0) - line.total.quantity)
  const difference = `${formatNumber(Math.abs(missing))} ${missing > 0 ? "fewer" : "more"} than planned`
  const tone = stateOf(line, now) === "behind" ? "warn" : undefined
  const note = missing === 0 ? "Exactly as planned" : difference
  return [{ term: "Pace", value: formatPercentChange(share), tone, note }]
}

function forecastFacts({ flightEnd, booked }: StoredLine, forecast: Forecast | null): Fact[] {
  if (forecast === null || flightEnd === null) return []
  const { atEnd, neededPerDay, perDay } = forecast
  const share = booked === null || booked === 0 ? undefined : `${formatPercent(atEnd / booked)} of booked`
  const expected: Fact = { term: `Forecast for ${formatShortDate(flightEnd)}`, value: formatNumber(atEnd), note: share }
  const note = `${formatNumber(perDay)} a day in the last ${FORECAST_DAYS} days`
  if (neededPerDay === null) return [expected]
  return [expected, { term: "Needed from now on", value: `${formatNumber(neededPerDay)} a day`, note }]
}

function valueFacts(line: StoredLine): Fact[] {
  const [delivered, booked] = [deliveredValue(line), bookedValue(line)]
  if (delivered === null || line.currency === null) return []
  const note = booked === null ? undefined : `of ${formatMoney(booked, line.currency)}`
  return [{ term: "Value so far", value: formatMoney(delivered, line.currency), note }]
}

const measuredFact = ({ total }: StoredLine): Fact =>
  total === null
    ? { term: "Measured", value: "Never" }
    : { term: "Measured", value: <Ago at={total.asOf} />, note: <Time at={total.asOf} /> }
