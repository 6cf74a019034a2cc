import { reportTotal, type TotalOutcome } from "../../../actions/delivery/report-total.ts"
import { reasonInWords } from "../../../domain/delivery/delivery-words.ts"
import { DELIVERY_CSV, numberProblem, rowValue } from "../../../domain/import/csv-rows.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { type Errors, readForm } from "../form.ts"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { inNumbers } from "../parts/format.tsx"
import { done, goTo } from "../respond.ts"
import { confirmTotalPage } from "./confirm-total.tsx"
import type { LinePlace } from "./line-place.ts"
import { pageNotFound } from "./refusals.tsx"

export interface ReportTyped {
  readonly impressions: string
  readonly downloads: string
  readonly as_of: string
}

export interface ReportTried {
  readonly typed: ReportTyped
  readonly errors: Errors
}

/** The manual form: one item, through the same action as every other report. */
export function ReportForm({ place, tried }: { readonly place: LinePlace; readonly tried: ReportTried | null }) {
  const { line, visit, href } = place
  const isFlat = line.pricingBasis === "flat_rate"
  const today = dayOf(visit.now, line.seller.timeZone)
  const unit = line.pricingBasis === "downloads" ? "downloads" : "impressions"
  return (
    <Form
      action={`${href}/report`}
      submit={isFlat ? "Mark as delivered" : "Report"}
      values={tried?.typed}
      errors={tried?.errors}
    >
      {!isFlat && (
        <Field
          name={unit}
          label={unit === "downloads" ? "Downloads so far" : "Impressions so far"}
          inputmode={unit === "downloads" ? "decimal" : "numeric"}
          required
          hint={`The total since the start of the flight, not what was added since the last report.${currentInWords(line)}`}
        />
      )}
      <Field
        name="as_of"
        label="Measured"
        placeholder={today}
        list={[today]}
        hint={`A day (its end, in ${line.seller.timeZone}) or a time with its zone. Empty means now.`}
      />
    </Form>
  )
}

function currentInWords({ total }: LinePlace["line"]): string {
  return total === null ? "" : ` The current total is ${inNumbers(total.quantity)}.`
}

/** What came of a report: an answer, a question, or what to show beside the form. */
export async function takeReport(
  place: LinePlace,
  shown: (place: LinePlace, tried: ReportTried) => Promise<Response>,
): Promise<Response> {
  const { visit, line, href } = place
  if (line.seller.id !== visit.organization.id) return pageNotFound(visit)
  const form = await readForm(visit.request)
  const typed = form.texts("impressions", "downloads", "as_of")
  if (form.has("change")) return shown(place, { typed, errors: {} })
  // What a row of a file with these cells would be.
  const item = rowValue(DELIVERY_CSV, { package_id: line.packageId, ...typed })
  const source = { kind: "form", reference: String(visit.person.userId), detail: "" } as const
  const reporter = { organizationId: line.seller.id, timeZone: line.seller.timeZone, source }
  const outcome = await reportTotal(visit.context, reporter, item, form.text("answer"))
  if (outcome.outcome === "asked") {
    return confirmTotalPage({ place, typed, asked: outcome, again: form.has("answer") })
  }
  if (outcome.outcome === "kept") return goTo(visit, href, done(keptInWords(outcome, line)))
  const { field, text } = reasonInWords(outcome.reason, item, line)
  return shown(place, { typed, errors: { ...misreadNumbers(item), ...errorsAt(field, text, line.pricingBasis) } })
}

function keptInWords(
  { effect, total }: TotalOutcome & { readonly outcome: "kept" },
  { pricingBasis }: LinePlace["line"],
): string {
  const isFlat = pricingBasis === "flat_rate"
  switch (effect) {
    case "applied":
      return isFlat ? "Saved: the line is delivered." : `Saved: the total is now ${inNumbers(total.quantity)}.`
    case "unchanged":
      return isFlat
        ? "No change: the line was delivered before."
        : `No change: the total is still ${inNumbers(total.quantity)}.`
    case "older_than_current":
      return "Saved, but superseded: there is a newer total."
  }
}

/** The API names the first reason only; whoever typed two things wrong is told both. */
function misreadNumbers(item: Readonly<Record<string, unknown>>): Errors {
  const units = ["impressions", "downloads"].flatMap((unit): [string, string][] => {
    const problem = numberProblem(DELIVERY_CSV, unit, item[unit])
    return problem === undefined ? [] : [[unit, problem]]
  })
  return Object.fromEntries(units)
}

/** Beside the field it is about, where the form has that field; on top where it has not. */
function errorsAt(field: string, text: string, basis: LinePlace["line"]["pricingBasis"]): Errors {
  if (field === "as_of") return { as_of: text }
  return field === "quantity" && basis !== "flat_rate" ? { [basis]: text } : { "": text }
}
