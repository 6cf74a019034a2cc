import { reportTotal, type TotalOutcome } from "../../../actions/delivery/report-total.ts"
import { DELIVERY_CSV, numberProblem, rowValue } from "../../../domain/csv/csv-rows.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { reasonInWords } from "../../../domain/delivery/delivery-words.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { readTypedMoment } from "../../../domain/time/typed-day.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { Fact, Facts } from "../parts/blocks.tsx"
import { Banner } from "../parts/feedback.tsx"
import { DateTimeField, Field } from "../parts/form/fields.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { formatNumber, Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { done, goTo } from "../respond.ts"
import { campaignsOf, trailTo } from "./campaign.tsx"
import { questionText } from "./question-text.ts"
import type { LineVisit } from "./with-line.ts"

interface ReportTyped {
  readonly impressions: string
  readonly downloads: string
  readonly as_of: string
  readonly as_of_time: string
}

export interface ReportTried {
  readonly typed: ReportTyped
  readonly errors: Errors
}

/** The form for one total, reported through the same action as the API's. */
export function ReportForm({ place, tried }: { readonly place: LineVisit; readonly tried: ReportTried | null }) {
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
          hint={`The total since the start of the flight, not what was added since the last report.${currentTotalText(line)}`}
        />
      )}
      <DateTimeField
        name="as_of"
        time="as_of_time"
        label="Measured"
        zone={line.seller.timeZone}
        max={today}
        hint="Empty means now. A day without a time is the end of that day."
      />
    </Form>
  )
}

function currentTotalText({ total }: LineVisit["line"]): string {
  return total === null ? "" : ` The current total is ${formatNumber(total.quantity)}.`
}

/** Reports the total; shows a question first where it looks like a mistake, or the form with its errors. */
export async function submitReport(
  place: LineVisit,
  shown: (place: LineVisit, tried: ReportTried) => Promise<Response>,
): Promise<Response> {
  const { visit, line, href } = place
  if (line.seller.id !== visit.organization.id) return pageNotFound(visit)
  const form = await readForm(visit.request)
  const typed = form.texts("impressions", "downloads", "as_of", "as_of_time")
  if (form.has("change")) return shown(place, { typed, errors: {} })
  // Read like a row of an uploaded file.
  const { impressions, downloads } = typed
  const { timeZone } = line.seller
  const measured = readTypedMoment(typed.as_of, typed.as_of_time, timeZone, dayOf(visit.now, timeZone))
  const as_of = measured.ok ? measured.value : typed.as_of
  const item = rowValue(DELIVERY_CSV, { package_id: line.packageId, impressions, downloads, as_of })
  if (!measured.ok) {
    const errors = { ...numberErrors(item), [measured.field === "day" ? "as_of" : "as_of_time"]: measured.message }
    return shown(place, { typed, errors })
  }
  const source = { kind: "form", reference: String(visit.person.userId), detail: "" } as const
  const reporter = { organizationId: line.seller.id, timeZone: line.seller.timeZone, source }
  const outcome = await reportTotal(visit.context, reporter, item, form.text("answer"))
  if (outcome.outcome === "asked") {
    return confirmTotalPage({ place, typed, asked: outcome, again: form.has("answer") })
  }
  if (outcome.outcome === "saved") return goTo(visit, href, done(savedText(outcome, line)))
  const { field, text } = reasonInWords(outcome.reason, item, line)
  return shown(place, { typed, errors: { ...numberErrors(item), ...errorsOfReason(field, text, line.pricingBasis) } })
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
  const units = ["impressions", "downloads"].flatMap((unit): [string, string][] => {
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

type Asked = TotalOutcome & { readonly outcome: "asked" }

interface ConfirmTotalProps {
  readonly place: LineVisit
  readonly typed: ReportTyped
  readonly asked: Asked
  /** Whether the question was answered before, but the current total has changed since. */
  readonly again: boolean
}

/** Asks before a total that looks like a mistake is saved: shows the current and the new total. */
function confirmTotalPage({ place, typed, asked, again }: ConfirmTotalProps): Response {
  const { visit, line, campaign, href } = place
  return headedPage(visit, {
    title: `Check this total, ${line.name}`,
    heading: "Please check this total",
    active: campaignsOf(visit),
    trail: [...trailTo(visit, campaign), { href, label: line.name }],
    body: (
      <section class="card narrow stack">
        {again && (
          <Banner tone="bad" live>
            <p>The current total has changed in the meantime. Nothing was saved; please check again.</p>
          </Banner>
        )}
        <Banner tone="warn">
          {asked.questions.map((question) => (
            <p key={question.kind}>{questionText(question, asked.total.quantity, line.seller.timeZone)}</p>
          ))}
        </Banner>
        <BeforeAndAfter place={place} asked={asked} />
        <form method="post" action={`${href}/report#report`} class="actions">
          <HiddenInputs values={{ ...typed, answer: asked.answer }} />
          <button type="submit" class="button primary" name="change" value="yes">
            Change it
          </button>
          <button type="submit" class="button danger">
            {line.pricingBasis === "flat_rate"
              ? "Mark as delivered anyway"
              : `Report ${formatNumber(asked.total.quantity)} anyway`}
          </button>
        </form>
      </section>
    ),
  })
}

function BeforeAndAfter({ place: { line }, asked: { total } }: Pick<ConfirmTotalProps, "place" | "asked">) {
  if (line.pricingBasis === "flat_rate") return null
  const { before } = total
  const isLate = before !== null && total.asOf < before.asOf
  return (
    <Facts>
      <Fact term="Current total">{before === null ? "Nothing reported yet" : <Total total={before} />}</Fact>
      <Fact term={isLate ? "You typed" : "New total"}>
        <Total total={total} />
      </Fact>
    </Facts>
  )
}

function Total({ total }: { readonly total: DeliveryTotal }) {
  return (
    <>
      {formatNumber(total.quantity)}
      <small>
        Measured <Time at={total.asOf} />
      </small>
    </>
  )
}
