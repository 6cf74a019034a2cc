import type { TotalsOutcome } from "../../../actions/delivery/report-total.ts"
import { bookedValue, isInFlight, offPlan } from "../../../domain/campaign/line-state.ts"
import { takesFraction } from "../../../domain/campaign/pricing-basis.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { courseOf } from "../../../domain/delivery/line-course.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { lineHref } from "../campaigns/with-line.ts"
import { homeOf } from "../home/page.tsx"
import type { Tone } from "../parts/blocks.tsx"
import { formatChange } from "../parts/charts/total-chart.tsx"
import { Tick } from "../parts/form/choices.tsx"
import { HiddenInputs, Live } from "../parts/form/form.tsx"
import { FieldError, fieldClass, useField } from "../parts/form/frame.tsx"
import { Ago, dotted, formatNumber, formatPercent, formatShortDate, formatSum, Time } from "../parts/format.tsx"
import { Icon, type IconName } from "../parts/icon.tsx"
import { campaignAndBuyer } from "../parts/line.tsx"
import type { Column } from "../parts/table.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { nameOf, type Typed } from "./entered.ts"
import { questionText } from "./question-text.ts"
import { isLate, KEPT_IN_HISTORY } from "./what-changed.tsx"

export type Checked =
  | Exclude<TotalsOutcome["outcomes"][number], { readonly outcome: "refused" | "saved" }>
  | Readonly<{ outcome: "refused"; text: string }>

export interface GridRow {
  readonly line: FlyingLine
  readonly typed: Typed | undefined
  readonly checked: Checked | undefined
  /** Whether nothing further up asks or is wrong. */
  readonly isFirstAsked: boolean
  /** Whether somebody begins to type here. */
  readonly isFirst: boolean
  /** The last totals of its last days. */
  readonly points: readonly DeliveryTotal[]
  /** The API key that reported it last. */
  readonly feed: Readonly<{ keyId: string; label: string | null; at: Moment }> | undefined
}

export const columnsFor = (visit: OrganizationVisit): Column<GridRow>[] => [
  {
    title: "Line",
    sortBy: "name",
    value: ({ line }) => line.name,
    href: ({ line }) => lineHref(visit, line),
    note: ({ line }) => {
      const { flightEnd } = line
      const hasEnded = flightEnd !== null && !isInFlight(line, visit.now)
      return dotted(campaignAndBuyer(line), ...(hasEnded ? [`ended ${formatShortDate(flightEnd)}`] : []))
    },
  },
  { title: "Last total", sortBy: "measured", numeric: true, narrow: "wide", cell: LastTotal },
  { title: "New total", narrow: "wide", cell: (row) => <Entry {...row} /> },
  { title: "Check", narrow: "span", cell: (row) => <Meaning visit={visit} {...row} /> },
]

function LastTotal({ line: { total, pricingBasis, rate, currency } }: Pick<GridRow, "line">) {
  if (pricingBasis === "flat_rate")
    return [<span class="soft">Flat rate</span>, rate !== null && <small>{formatSum(rate, currency)}</small>]
  if (total === null) return <span class="soft">None yet</span>
  return [
    formatNumber(total.quantity),
    <small>
      <span class="phone">{pricingBasis}, </span>
      <Time at={total.asOf} />
    </small>,
  ]
}

/** A field for the new total; a box for a line that is delivered or not. */
function Entry({ line, typed, isFirst }: GridRow) {
  const { packageId, pricingBasis, name: lineName } = line
  const name = nameOf.total(packageId)
  const { error, attributes, value } = useField(name, true)
  if (pricingBasis === "flat_rate") {
    const ticked = { name, value: "delivered", checked: typed !== undefined, ...attributes }
    return (
      <div class={fieldClass(error)}>
        <FieldError name={name} error={error} />
        <Tick {...ticked} label="Mark as delivered" about={`Mark as delivered: ${lineName}`} />
      </div>
    )
  }
  return (
    <div class={`typed ${fieldClass(error)}`}>
      <FieldError name={name} error={error} />
      <div class="input">
        <input
          {...attributes}
          inputmode={takesFraction(pricingBasis) ? "decimal" : "numeric"}
          autocomplete="off"
          value={value}
          {...(isFirst && { autofocus: true })}
          aria-label={`New total of ${lineName}, ${pricingBasis}`}
        />
        <span class="unit">{pricingBasis}</span>
      </div>
    </div>
  )
}

function Meaning({ visit, ...row }: GridRow & { readonly visit: OrganizationVisit }) {
  const { feed } = row
  const id = nameOf.total(row.line.packageId)
  return (
    <div id={`${id}-hint`}>
      {feed !== undefined && (
        <p class="hint">
          Reported by <a href={`${homeOf(visit)}/feed-activity?key=${encodeURIComponent(feed.keyId)}`}>{feed.label}</a>,
          last report <Ago at={feed.at} />
        </p>
      )}
      <Live id={`${id}-means`}>{meaningOf(row)}</Live>
    </div>
  )
}

function meaningOf(row: GridRow) {
  const { line, checked, typed } = row
  if (checked === undefined)
    return (
      <>
        <span class="hint">{usualText(row)}</span>
        {/* While the time cannot be read nothing is asked, but what was answered stays answered. */}
        {typed?.isConfirmed && <HiddenInputs values={answerFields(line, typed.answer)} />}
      </>
    )
  if (checked.outcome === "refused") return <Reason tone="bad" icon="error" text={checked.text} />
  // What was asked and is answered stays in sight, or the answer would be lost.
  if (checked.questions.length > 0) return question(row, checked)
  return <Reason tone="good" icon="check" text={changeText(line, checked.total)} />
}

const answerFields = ({ packageId }: FlyingLine, answer: string) => ({
  [nameOf.answer(packageId)]: answer,
  [nameOf.confirmed(packageId)]: "yes",
})

const Reason = ({ tone, icon, text }: Readonly<{ tone: Tone; icon: IconName; text: string }>) => (
  <span class={`reason ${tone}`}>
    <Icon name={icon} />
    <span>{text}</span>
  </span>
)

type Askable = Exclude<Checked, { readonly outcome: "refused" }>

/** Asked in its row. It is not an error: the row is left out until its box is ticked. */
function question({ line, typed, isFirstAsked }: GridRow, { total, questions, answer }: Askable) {
  const { packageId, pricingBasis, seller } = line
  const name = nameOf.confirmed(packageId)
  const isConfirmed = typed?.isConfirmed === true && typed.answer === answer
  const right = pricingBasis === "flat_rate" ? "It is delivered" : `${formatNumber(total.quantity)} is right`
  const described = { "aria-describedby": `${nameOf.total(packageId)}-hint`, ...(isFirstAsked && { autofocus: true }) }
  const texts = questions.map((each) => questionText(each, total.quantity, seller.timeZone))
  return (
    <span class="ask">
      <Reason tone="warn" icon="warning" text={texts.join(" ")} />
      <input type="hidden" name={nameOf.answer(packageId)} value={answer} />
      <Tick id={name} name={name} checked={isConfirmed} label={`${right}, report it anyway`} {...described} />
    </span>
  )
}

/** +8,837 since Sat 14 Nov, 17% behind plan */
function changeText(line: FlyingLine, total: DeliveryTotal): string {
  const { pricingBasis, seller, total: before } = line
  if (pricingBasis === "flat_rate") return "Delivered from then on"
  if (before === null) {
    // There is nothing to compare it with, so it says how the number was read.
    const share = line.booked ? `, ${formatPercent(total.quantity / line.booked)} of booked` : ""
    return `The first total: ${formatNumber(total.quantity)}${share}`
  }
  if (isLate({ before, total })) return KEPT_IN_HISTORY
  const since = ` since ${formatShortDate(dayOf(before.asOf, seller.timeZone))}`
  const off = offPlan({ ...line, total }, seller.timeZone)
  const pace = off === null ? "" : off < 0 ? `, ${formatPercent(-off)} behind plan` : ", on or ahead of plan"
  return `${formatChange(total.quantity - before.quantity)}${since}${pace}`
}

/** What is usual for the line, so that a slip of the hand is noticed before it is made. */
function usualText({ line, points }: GridRow): string {
  const { pricingBasis, booked, total, seller, flightEnd, currency } = line
  if (pricingBasis === "flat_rate") {
    const worth = bookedValue(line)
    const counts = worth === null ? "" : `Counts ${formatSum(worth, currency)} once delivered.`
    return `${counts}${flightEnd === null ? "" : ` Ends on ${formatShortDate(flightEnd)}.`}`.trim()
  }
  if (booked !== null && booked > 0 && total !== null && total.quantity >= booked)
    return `All ${formatNumber(booked)} booked are delivered. Further delivery isn’t billed.`
  const { forecast } = courseOf(line, points, seller.timeZone, Number.POSITIVE_INFINITY)
  const perDay = Math.round(forecast?.perDay ?? 0)
  return perDay === 0 ? "" : `Usually about ${formatNumber(perDay)} a day`
}
