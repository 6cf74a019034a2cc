import {
  bookedValue,
  expectedAt,
  type LineState,
  lineValue,
  stateOf,
  stateToShow,
} from "../../../domain/campaign/line-state.ts"
import { PRICING_BASES, pricedQuantity } from "../../../domain/campaign/pricing-basis.ts"
import { FORECAST_DAYS, type Forecast, type LineCourse } from "../../../domain/delivery/line-course.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"
import type { FlyingLine, ShownLine } from "../../../storage/port/store.ts"
import { Card, type Fact, Facts, type Look, LookBadge } from "./blocks.tsx"
import { PaceBar } from "./charts/bars.tsx"
import { signedPercent } from "./charts/total-chart.tsx"
import { Ago, dotted, formatMoney, formatNumber, formatPercent, formatShortDate, formatSum, Time } from "./format.tsx"

const STATES: Readonly<Record<LineState | "empty" | "no_totals_yet", Look>> = {
  no_recent_figures: ["bad", "ring", "No recent figures"],
  behind: ["warn", "down", "Behind"],
  over_delivered: ["over", "up", "Over-delivered"],
  ahead: ["info", "up", "Ahead"],
  on_pace: ["good", "dot", "On pace"],
  running: ["live", "dot", "Running"],
  ends_soon: ["info", "dot", "Ends soon"],
  upcoming: ["off", "ring", "Upcoming"],
  ended: ["off", "word", "Ended"],
  delivered: ["good", "done", "Delivered"],
  empty: ["off", "dash", "No lines"],
  no_totals_yet: ["off", "ring", "No totals yet"],
}

type StateProps = Readonly<{ state: LineState | "empty"; isReported?: boolean }>

/** The state of a line or a campaign, in the same words on every page. */
export const StateBadge = ({ state, isReported = true }: StateProps) => (
  <LookBadge look={STATES[stateToShow(state, isReported)]} />
)

export const campaignAndBuyer = ({ campaign: { name, buyer } }: FlyingLine) => dotted(name, buyer.name)

type LineProps = Readonly<{ line: ShownLine; now: Moment }>

export const LineBadge = ({ line, now }: LineProps) => (
  <StateBadge state={stateOf(line, now)} isReported={line.total !== null} />
)

const flatText = ({ total }: ShownLine) => (total === null ? "Not delivered yet" : "Delivered")

/** The large figure of a line, and what it is of. */
function Delivered({ line }: { readonly line: ShownLine }) {
  const { total, booked, pricingBasis } = line
  if (pricingBasis === "flat_rate") return <span class="figure mid">{flatText(line)}</span>
  const quantity = total?.quantity ?? 0
  return (
    <>
      <span class="figure">{formatNumber(quantity)}</span>{" "}
      <span class="soft">
        {booked === null ? pricingBasis : `of ${formatNumber(booked)} ${pricingBasis} booked`}
        {booked !== null && booked > 0 && [" · ", <b>{formatPercent(quantity / booked)}</b>]}
      </span>
    </>
  )
}

/** The same in a row of a table, with its bar. */
export function DeliveredCell({ line, now, withUnit = false }: LineProps & { readonly withUnit?: boolean }) {
  const { total, booked, pricingBasis } = line
  if (pricingBasis === "flat_rate") return <span class="soft">{flatText(line)}</span>
  return [
    <div>
      <b>{formatNumber(total?.quantity ?? 0)}</b>
      <span class="soft">
        {booked !== null && ` of ${formatNumber(booked)}`}
        <span class={withUnit ? undefined : "phone"}> {pricingBasis}</span>
      </span>
    </div>,
    <Progress line={line} now={now} />,
  ]
}

/** What is sold and at what price, as people say it: €14.50 per 1,000 impressions. */
export function formatPrice({ rate, currency, pricingBasis }: Pick<ShownLine, "rate" | "currency" | "pricingBasis">) {
  if (rate === null) return PRICING_BASES[pricingBasis].label
  const price = formatMoney(rate, currency)
  return pricingBasis === "flat_rate" ? `${price} flat rate` : `${price} per ${pricedQuantity(pricingBasis)}`
}

/** What is delivered, what is missing and the plan. The text beside it says the same. */
function Progress({ line, now, big = false }: LineProps & { readonly big?: boolean }) {
  const { booked, total, pricingBasis } = line
  if (pricingBasis === "flat_rate" || booked === null || booked === 0) return null
  const zone = line.seller.timeZone
  const expected = expectedAt(line, total?.asOf ?? now, zone)
  return (
    <PaceBar
      delivered={(total?.quantity ?? 0) / booked}
      planned={expected === null ? null : expected / booked}
      isBehind={stateOf(line, now) === "behind"}
      big={big}
      {...(big && expected !== null && { plan: `Plan: ${formatNumber(Math.round(expected))}` })}
    />
  )
}

interface LineProgressProps {
  readonly line: ShownLine
  readonly course: LineCourse
  readonly now: Moment
  /** The reader's zone. Days are those of the seller's. */
  readonly zone: TimeZone
}

/** Where a line stands: delivered of booked, pace, forecast, value. */
export function LineProgress({ line, course, now, zone }: LineProgressProps) {
  const { total, seller } = line
  const facts = [
    paceFact(line, now),
    ...forecastFacts(line, course),
    valueFact(line),
    total === null
      ? { term: "Measured", value: "Never" }
      : { term: "Measured", value: <Ago at={total.asOf} />, note: <Time at={total.asOf} /> },
    seller.timeZone !== zone && { term: "Days end in", value: seller.timeZone },
  ]
  return (
    <Card label="Progress">
      <p>
        <Delivered line={line} />
      </p>
      <Progress line={line} now={now} big />
      <Facts facts={facts} />
    </Card>
  )
}

function paceFact(line: ShownLine, now: Moment): Fact | null {
  const planned = line.total === null ? null : expectedAt(line, line.total.asOf, line.seller.timeZone)
  if (line.total === null || planned === null || planned === 0) return null
  const missing = Math.round(planned - line.total.quantity)
  const off = `${formatNumber(Math.abs(missing))} ${missing > 0 ? "fewer" : "more"} than planned`
  return {
    term: "Pace",
    value: signedPercent(line.total.quantity / planned - 1),
    tone: stateOf(line, now) === "behind" ? "warn" : undefined,
    note: missing === 0 ? "Exactly as planned" : off,
  }
}

/** What a line needs from now on, and its pace of late; null where that is not known. */
export const needText = (forecast: Forecast | null, unit = ""): string | null =>
  forecast?.neededPerDay == null
    ? null
    : `needs ${formatNumber(forecast.neededPerDay)}${unit} a day, delivers ${formatNumber(forecast.perDay)}`

function forecastFacts({ flightEnd, booked }: ShownLine, { forecast }: LineCourse): Fact[] {
  if (forecast === null || flightEnd === null) return []
  const { atEnd, neededPerDay, perDay } = forecast
  const share = booked === null || booked === 0 ? undefined : `${formatPercent(atEnd / booked)} of booked`
  const term = `Forecast for ${formatShortDate(flightEnd)}`
  const pace = `${formatNumber(perDay)} a day in the last ${FORECAST_DAYS} days`
  const needed = { term: "Needed from now on", value: `${formatNumber(neededPerDay ?? 0)} a day`, note: pace }
  return [{ term, value: formatNumber(atEnd), note: share }, ...(neededPerDay === null ? [] : [needed])]
}

function valueFact(line: ShownLine): Fact | null {
  const [value, booked] = [lineValue(line), bookedValue(line)]
  if (value === null) return null
  const note = booked === null ? undefined : `of ${formatSum(booked, line.currency)}`
  return { term: "Value so far", value: formatSum(value, line.currency), note }
}
