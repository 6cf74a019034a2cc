import { reportTotal, type TotalOutcome } from "../../../actions/delivery/report-total.ts"
import { COUNTED_BASES, takesFraction, UNITS, type Unit } from "../../../domain/campaign/pricing-basis.ts"
import { DELIVERY_CSV, numberProblem, rowValue } from "../../../domain/csv/csv-rows.ts"
import { reasonInWords } from "../../../domain/delivery/delivery-words.ts"
import type { TotalQuestion } from "../../../domain/delivery/total-questions.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { readTypedMoment } from "../../../domain/time/typed-day.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { Banner } from "../parts/blocks.tsx"
import { DateTimeField, Field } from "../parts/form/fields.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { formatDate, formatNumber } from "../parts/format.tsx"
import { done, goTo } from "../respond.ts"
import type { LineVisit } from "./with-line.ts"

type ReportTyped = Readonly<Record<Unit | "as_of" | "as_of_time", string>>

export interface ReportTried {
  readonly typed: ReportTyped
  readonly errors?: Errors
  /** A total that looks like a mistake is asked about before it is saved. */
  readonly question?: TotalOutcome & { readonly outcome: "asked" }
  /** Whether the question was answered before, but the current total has changed since. */
  readonly again?: boolean
}

/** The form for one total, reported through the same action as the API's. */
export function ReportForm({ place, tried }: { readonly place: LineVisit; readonly tried: ReportTried | null }) {
  const { line, visit, href } = place
  const unit = line.pricingBasis === "flat_rate" ? null : line.pricingBasis
  const isFlat = unit === null
  const today = dayOf(visit.now, line.seller.timeZone)
  const request = tried?.question
  const what = isFlat ? "Mark as delivered" : "Report"
  return (
    <Form
      action={`${href}/report`}
      submit={
        request === undefined ? what : `${isFlat ? what : `Report ${formatNumber(request.total.quantity)}`} anyway`
      }
      danger={request !== undefined}
      values={tried?.typed}
      errors={tried?.errors}
    >
      {request !== undefined && (
        <Banner tone="warn" live>
          {tried?.again && <p>The current total has changed in the meantime. Nothing was saved; please check again.</p>}
          {request.questions.map((question) => (
            <p key={question.kind}>{questionText(question, request.total.quantity, line.seller.timeZone)}</p>
          ))}
          <HiddenInputs values={{ answer: request.answer }} />
        </Banner>
      )}
      {unit !== null && (
        <Field
          name={unit}
          label={`${COUNTED_BASES[unit].label} so far`}
          inputmode={takesFraction(unit) ? "decimal" : "numeric"}
          required
          hint={`The total since the start of the flight, not what was added since the last report.${currentTotalText(line)}`}
        />
      )}
      <DateTimeField
        name="as_of"
        time="as_of_time"
        label="Measured"
        zone={line.seller.timeZone}
        max={today}
        hint="Left empty, it means now. Without a time, it is the end of that day."
      />
    </Form>
  )
}

function currentTotalText({ total }: LineVisit["line"]): string {
  return total === null ? "" : ` The current total is ${formatNumber(total.quantity)}.`
}

/** Reports the total; or shows the form with its errors, or with a question where the total looks like a mistake. */
export async function submitReport(
  place: LineVisit,
  show: (place: LineVisit, tried: ReportTried) => Promise<Response>,
): Promise<Response> {
  const { visit, line, href } = place
  if (line.seller.id !== visit.organization.id) return pageNotFound(visit)
  const form = await readForm(visit.request)
  const typed = form.texts(...UNITS, "as_of", "as_of_time")
  // Read like a row of an uploaded file.
  const { timeZone } = line.seller
  const measured = readTypedMoment(typed.as_of, typed.as_of_time, timeZone, dayOf(visit.now, timeZone))
  const as_of = measured.ok ? measured.value : typed.as_of
  const item = rowValue(DELIVERY_CSV, { ...typed, package_id: line.packageId, as_of })
  if (!measured.ok) {
    const errors = { ...numberErrors(item), [measured.field === "day" ? "as_of" : "as_of_time"]: measured.message }
    return show(place, { typed, errors })
  }
  const source = { kind: "form", reference: String(visit.person.userId), detail: "" } as const
  const reporter = { organizationId: line.seller.id, timeZone: line.seller.timeZone, source }
  const outcome = await reportTotal(visit.context, reporter, item, form.text("answer"))
  if (outcome.outcome === "asked") return show(place, { typed, question: outcome, again: form.has("answer") })
  if (outcome.outcome === "saved")
    return goTo(
      visit,
      href,
      done(savedText(outcome, line), `/app/o/${visit.organization.slug}/totals`, "Report more totals"),
    )
  const { field, text } = reasonInWords(outcome.reason, item, line)
  return show(place, { typed, errors: { ...numberErrors(item), ...errorsOfReason(field, text, line.pricingBasis) } })
}

function savedText(
  { effect, total }: TotalOutcome & { readonly outcome: "saved" },
  { pricingBasis }: LineVisit["line"],
): string {
  const isFlat = pricingBasis === "flat_rate"
  switch (effect) {
    case "applied":
      return isFlat ? "Saved: the line is delivered." : `Saved: the total is now ${formatNumber(total.quantity)}.`
    case "unchanged":
      return isFlat
        ? "No change: the line was already delivered."
        : `No change: the total is still ${formatNumber(total.quantity)}.`
    case "older_than_current":
      return "Saved, but superseded: there is a newer total."
  }
}

/** The API gives only the first reason; the form shows every wrong number. */
function numberErrors(item: Readonly<Record<string, unknown>>): Errors {
  const units = UNITS.flatMap((unit): [string, string][] => {
    const problem = numberProblem(DELIVERY_CSV, unit, item[unit])
    return problem === undefined ? [] : [[unit, problem]]
  })
  return Object.fromEntries(units)
}

/** At the field that the reason is about, or on top where the form does not have it. */
function errorsOfReason(field: string, text: string, basis: LineVisit["line"]["pricingBasis"]): Errors {
  if (field === "as_of") return { as_of: text }
  return field === "quantity" && basis !== "flat_rate" ? { [basis]: text } : { "": text }
}

const CUMULATIVE = "A total is everything delivered so far."

/** A question about a total: what is odd about it, and why that matters. */
export function questionText(question: TotalQuestion, quantity: number, zone: TimeZone): string {
  const on = (asOf: number) => formatDate(dayOf(asOf, zone))
  const sent = formatNumber(quantity)
  switch (question.kind) {
    case "lower":
      return `The total would go down from ${formatNumber(question.current.quantity)} to ${sent}. ${CUMULATIVE}`
    case "below_earlier": {
      const { quantity: before, asOf } = question.earlier
      return `${sent} is less than the ${formatNumber(before)} measured before, on ${on(asOf)}. ${CUMULATIVE}`
    }
    case "above_later": {
      const { quantity: after, asOf } = question.later
      return `${sent} is more than the ${formatNumber(after)} measured later, on ${on(asOf)}. ${CUMULATIVE}`
    }
    case "above_booked":
      return `${sent} is far above the ${formatNumber(question.booked)} booked.`
    case "above_pace":
      return `${sent} is far above the usual pace, which would make it about ${formatNumber(question.usual)}.`
    case "delivered_early": {
      const end = formatDate(question.flightEnd)
      return `The flight runs until ${end}. A flat-rate line that is marked as delivered stays delivered.`
    }
  }
}
