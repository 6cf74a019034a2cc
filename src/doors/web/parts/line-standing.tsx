import { stateOf } from "../../../domain/campaign/line-state.ts"
import { bookedValue, lineValue } from "../../../domain/campaign/line-value.ts"
import { expectedAt } from "../../../domain/campaign/pacing.ts"
import { FORECAST_DAYS } from "../../../domain/delivery/forecast.ts"
import type { LineCourse } from "../../../domain/delivery/line-course.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"
import type { ShownLine } from "../../../storage/port/store.ts"
import { Card } from "./card.tsx"
import { signed } from "./charts/total-chart.tsx"
import { Fact, Facts } from "./facts.tsx"
import { formatNumber, formatPercent, formatShortDate, formatSum } from "./format.tsx"
import { Delivered, Progress } from "./line-widgets.tsx"
import { Ago, Time } from "./time.tsx"

interface LineStandingProps {
  readonly line: ShownLine
  readonly course: LineCourse
  readonly now: Moment
}

interface InZone {
  /** The reader's zone. Days are those of the seller's. */
  readonly zone: TimeZone
}

/** Where a line stands: delivered of booked, pace, forecast, value. */
export function LineStanding({ line, course, now, zone }: LineStandingProps & InZone) {
  return (
    <Card label="Where it stands">
      <p>
        <Delivered line={line} />
      </p>
      <Progress line={line} now={now} big />
      <Facts>
        <PaceFact line={line} now={now} />
        <ForecastFacts line={line} course={course} />
        <ValueFact line={line} />
        {line.total === null ? (
          <Fact term="Measured">Nothing reported yet</Fact>
        ) : (
          <Fact term="Measured" note={<Time at={line.total.asOf} />}>
            <Ago at={line.total.asOf} />
          </Fact>
        )}
        {line.seller.timeZone !== zone && <Fact term="Days end in">{line.seller.timeZone}</Fact>}
      </Facts>
    </Card>
  )
}

function PaceFact({ line, now }: Omit<LineStandingProps, "course">) {
  const planned = line.total === null ? null : expectedAt(line, line.total.asOf, line.seller.timeZone)
  if (line.total === null || planned === null || planned === 0) return null
  const missing = Math.round(planned - line.total.quantity)
  const note =
    missing > 0 ? `${formatNumber(missing)} fewer than planned` : `${formatNumber(-missing)} more than planned`
  return (
    <Fact
      term="Pace"
      tone={stateOf(line, now) === "behind" ? "warn" : undefined}
      note={missing === 0 ? "Exactly as planned" : note}
    >
      {signed(line.total.quantity / planned - 1)}
    </Fact>
  )
}

function ForecastFacts({ line, course: { forecast } }: Pick<LineStandingProps, "line" | "course">) {
  if (forecast === null || line.flightEnd === null) return null
  const { atEnd, neededPerDay, perDay } = forecast
  const share =
    line.booked === null || line.booked === 0 ? undefined : `${formatPercent(atEnd / line.booked)} of what is booked`
  return (
    <>
      <Fact term={`Forecast for ${formatShortDate(line.flightEnd)}`} note={share}>
        {formatNumber(atEnd)}
      </Fact>
      {neededPerDay !== null && (
        <Fact term="Needed from now on" note={`${formatNumber(perDay)} in the last ${FORECAST_DAYS} days`}>
          {formatNumber(neededPerDay)} a day
        </Fact>
      )}
    </>
  )
}

function ValueFact({ line }: Pick<LineStandingProps, "line">) {
  const value = lineValue(line)
  const booked = bookedValue(line)
  if (value === null) return null
  const note = booked === null ? undefined : `of ${formatSum(booked, line.currency)}`
  return (
    <Fact term="Value so far" note={note}>
      {formatSum(value, line.currency)}
    </Fact>
  )
}
