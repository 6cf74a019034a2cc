import type { TotalsOutcome } from "../../../actions/delivery/report-total.ts"
import { bookedValue, offPlan } from "../../../domain/campaign/line-state.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { courseOf } from "../../../domain/delivery/line-course.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { questionText } from "../campaigns/report-delivery.tsx"
import { lineHref } from "../home/needs-list.tsx"
import { formatChange } from "../parts/charts/total-chart.tsx"
import { FieldError, fieldClass, useField } from "../parts/form/frame.tsx"
import { formatNumber, formatPercent, formatShortDate, formatSum, Time } from "../parts/format.tsx"
import { Icon } from "../parts/icon.tsx"
import { campaignAndBuyer } from "../parts/line.tsx"
import type { Column } from "../parts/table.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { nameOf, type Typed } from "./entered.ts"

/** What was found out about a total that was typed. */
export type Checked = Exclude<TotalsOutcome["outcomes"][number], { readonly outcome: "refused" | "saved" }>

export interface GridRow {
  readonly line: FlyingLine
  readonly typed: Typed | undefined
  readonly checked: Checked | undefined
  /** Whether nothing further up asks or is wrong. */
  readonly isFirstAsked: boolean
  /** The last totals of its last days. */
  readonly points: readonly DeliveryTotal[]
}

export function columnsFor(visit: OrganizationVisit): Column<GridRow>[] {
  return [
    {
      title: "Line",
      value: ({ line }) => line.name,
      href: ({ line }) => lineHref(visit, line),
      note: ({ line }) => campaignAndBuyer(line),
    },
    { title: "Last total", numeric: true, cell: ({ line }) => <LastTotal line={line} /> },
    { title: "New total", cell: (row) => <Entry {...row} /> },
    { title: "What that means", phone: "span", cell: (row) => <Meaning {...row} /> },
  ]
}

function LastTotal({ line: { total, pricingBasis, rate, currency } }: Pick<GridRow, "line">) {
  if (pricingBasis === "flat_rate") {
    return (
      <>
        <span class="soft">Flat rate</span>
        {rate !== null && <small>{formatSum(rate, currency)}</small>}
      </>
    )
  }
  if (total === null) return <span class="soft">None yet</span>
  return (
    <>
      {formatNumber(total.quantity)}
      <small>
        <span class="phone">{pricingBasis}, </span>
        <Time at={total.asOf} />
      </small>
    </>
  )
}

/** A field for the new total; a box for a line that is delivered or not. */
function Entry({ line, typed }: GridRow) {
  const { packageId, pricingBasis, name: lineName } = line
  const name = nameOf.total(packageId)
  const { error, attributes, value } = useField(name, true)
  if (pricingBasis === "flat_rate") {
    return (
      <div class={fieldClass(error)}>
        <FieldError name={name} error={error} />
        <label class="choice">
          <input
            id={name}
            type="checkbox"
            name={name}
            value="delivered"
            checked={typed !== undefined}
            aria-label={`Mark ${lineName} as delivered`}
            {...attributes}
          />
          <span>Mark as delivered</span>
        </label>
      </div>
    )
  }
  return (
    <div class={`typed ${fieldClass(error)}`}>
      <FieldError name={name} error={error} />
      <div class="input">
        <input
          id={name}
          name={name}
          inputmode={pricingBasis === "downloads" ? "decimal" : "numeric"}
          autocomplete="off"
          value={value}
          aria-label={`New total of ${lineName}, ${pricingBasis}`}
          data-total
          {...attributes}
        />
        <span class="unit desk">{pricingBasis}</span>
      </div>
    </div>
  )
}

function Meaning(row: GridRow) {
  const { line, checked } = row
  const id = `${nameOf.total(line.packageId)}-hint`
  if (checked?.outcome === "asked") return <Question id={id} {...row} asked={checked} />
  if (checked?.outcome === "ready") {
    return (
      <p class="reason good" id={id}>
        <Icon name="check" />
        <span>{changeText(line, checked.total)}</span>
      </p>
    )
  }
  return (
    <p class="hint" id={id}>
      {usualText(row)}
    </p>
  )
}

type QuestionProps = GridRow & Readonly<{ id: string; asked: Checked & { readonly outcome: "asked" } }>

/** Asked in its row. It is not an error: the row is left out until its box is ticked. */
function Question({ id, line, typed, isFirstAsked, asked: { total, questions, answer } }: QuestionProps) {
  const { packageId, pricingBasis, seller } = line
  const name = nameOf.confirmed(packageId)
  const isConfirmed = typed?.isConfirmed === true && typed.answer === answer
  const focus = isFirstAsked ? { autofocus: true } : {}
  return (
    <>
      <p class="reason warn" id={id}>
        <Icon name="warning" />
        <span>{questions.map((question) => questionText(question, total.quantity, seller.timeZone)).join(" ")}</span>
      </p>
      <input type="hidden" name={nameOf.answer(packageId)} value={answer} />
      <label class="choice">
        <input
          id={name}
          type="checkbox"
          name={name}
          value="yes"
          checked={isConfirmed}
          aria-describedby={id}
          {...focus}
        />
        <span>
          {pricingBasis === "flat_rate"
            ? "It is delivered, report it anyway"
            : `${formatNumber(total.quantity)} is right, report it anyway`}
        </span>
      </label>
    </>
  )
}

/** +8,837 since Sat 14 Nov, 17% behind plan */
function changeText(line: FlyingLine, total: DeliveryTotal): string {
  const { pricingBasis, seller, total: before } = line
  if (pricingBasis === "flat_rate") return "Delivered from then on"
  const since = before === null ? "" : ` since ${formatShortDate(dayOf(before.asOf, seller.timeZone))}`
  const off = offPlan({ ...line, total }, seller.timeZone)
  const pace = off === null ? "" : off < 0 ? `, ${formatPercent(-off)} behind plan` : ", on or ahead of plan"
  return `${formatChange(total.quantity - (before?.quantity ?? 0))}${since}${pace}`
}

/** What is usual for the line, so that a slip of the hand is noticed before it is made. */
function usualText({ line, points }: GridRow): string {
  const { pricingBasis, booked, total, seller, flightEnd, currency } = line
  if (pricingBasis === "flat_rate") {
    const worth = bookedValue(line)
    const counts = worth === null ? "" : `Counts ${formatSum(worth, currency)} once it is delivered.`
    return `${counts}${flightEnd === null ? "" : ` Ends on ${formatShortDate(flightEnd)}.`}`.trim()
  }
  if (booked !== null && booked > 0 && total !== null && total.quantity >= booked) {
    return `Past the ${formatNumber(booked)} booked; more is unpaid`
  }
  const { forecast } = courseOf(line, points, seller.timeZone, Number.POSITIVE_INFINITY)
  const perDay = Math.round(forecast?.perDay ?? 0)
  return perDay === 0 ? "" : `Usually about ${formatNumber(perDay)} a day`
}
