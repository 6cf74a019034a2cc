import { addLine } from "../../../actions/campaigns/add-line.ts"
import { editLine } from "../../../actions/campaigns/edit-line.ts"
import { lineFields, type TypedLine } from "../../../domain/campaign/line-fields.ts"
import { conflictOf, revisionOf } from "../../../domain/revision.ts"
import { writeNumber } from "../../../domain/text/typed-number.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownLine } from "../../../storage/port/store.ts"
import { type Errors, type Form as FormFields, readForm } from "../form.ts"
import { Field, Select } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { BASIS_WORDS } from "../parts/line-bits.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../parts/started-from.tsx"
import { Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forAdmin } from "../route.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { withCampaign } from "./campaign.tsx"
import { type LinePlace, withLine } from "./line-place.ts"
import { pageNotFound } from "./refusals.tsx"

const CHOICES = Object.entries(BASIS_WORDS).map(([value, label]) => ({ value, label }))

interface LineFieldsProps {
  readonly typed: TypedLine
  readonly errors: Errors
  /** Once figures refer to the line, what they count cannot change. */
  readonly basisStays?: boolean
}

export function LineFields({ typed, errors, basisStays = false }: LineFieldsProps) {
  return (
    <>
      <Field
        name="line_name"
        label="Line"
        value={typed.name}
        required
        errors={errors}
        hint="What you deliver, such as “Pre-roll, morning show”."
      />
      {basisStays ? (
        <input type="hidden" name="pricing_basis" value={typed.pricingBasis} />
      ) : (
        <Select
          name="pricing_basis"
          label="Priced on"
          value={typed.pricingBasis}
          choices={CHOICES}
          errors={errors}
          hint="It cannot be changed once delivery has been reported."
        />
      )}
      <div class="side-by-side">
        <Field
          name="flight_start"
          label="Flight starts"
          type="date"
          value={typed.flightStart}
          required
          errors={errors}
        />
        <Field name="flight_end" label="Flight ends" type="date" value={typed.flightEnd} errors={errors} />
      </div>
      <div class="side-by-side">
        <Field
          name="booked"
          label="Booked"
          inputmode="decimal"
          value={typed.booked}
          errors={errors}
          hint="Impressions or downloads in total. Used with the end date to calculate the pace."
        />
        <Field name="rate" label="Rate" inputmode="decimal" value={typed.rate} errors={errors} />
        <Field
          name="currency"
          label="Currency"
          value={typed.currency}
          maxlength={3}
          placeholder="EUR"
          errors={errors}
        />
      </div>
    </>
  )
}

export function emptyLine({ now, organization }: OrganizationVisit): TypedLine {
  const flightStart = dayOf(now, organization.timeZone)
  return { name: "", pricingBasis: "impressions", flightStart, flightEnd: "", booked: "", rate: "", currency: "" }
}

export function typedLine(form: FormFields): TypedLine {
  return {
    name: form.text("line_name"),
    pricingBasis: form.text("pricing_basis"),
    flightStart: form.text("flight_start"),
    flightEnd: form.text("flight_end"),
    booked: form.text("booked"),
    rate: form.text("rate"),
    currency: form.text("currency").toUpperCase(),
  }
}

const FIELD: Readonly<Record<keyof TypedLine, string>> = {
  name: "line_name",
  pricingBasis: "pricing_basis",
  flightStart: "flight_start",
  flightEnd: "flight_end",
  booked: "booked",
  rate: "rate",
  currency: "currency",
}

/** What is wrong with the line, under the names that the form's fields have. */
export function lineErrors(errors: Readonly<Record<string, string>>): Errors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [FIELD[name as keyof TypedLine] ?? name, text]),
  )
}

function typedOf(line: ShownLine): TypedLine {
  return {
    name: line.name,
    pricingBasis: line.pricingBasis,
    flightStart: line.flightStart,
    flightEnd: line.flightEnd ?? "",
    booked: line.booked === null ? "" : writeNumber(line.booked),
    rate: line.rate === null ? "" : writeNumber(line.rate),
    currency: line.currency ?? "",
  }
}

interface LineForm extends LineFieldsProps {
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly back: { readonly href: string; readonly label: string }
  readonly started?: StartedFrom
  readonly theirs?: string | undefined
}

function lineFormPage(
  visit: OrganizationVisit,
  { title, action, submit, back, started, theirs, ...fields }: LineForm,
): Response {
  const list = `/app/o/${visit.organization.slug}/campaigns`
  return page(visit, {
    title,
    active: list,
    status: Object.keys(fields.errors).length > 0 ? 422 : 200,
    body: (
      <>
        <Heading title={title} trail={[{ href: list, label: "Campaigns" }, back]} />
        <section class="card wide">
          <Form action={action} submit={submit} cancel={back.href} theirs={theirs} errors={fields.errors}>
            {started && <StartedFromFields {...started} />}
            <LineFields {...fields} />
          </Form>
        </section>
      </>
    ),
  })
}

function newLineForm(visit: OrganizationVisit, typed: TypedLine, errors: Errors): Promise<Response> {
  return withCampaign(visit, (campaign) => {
    if (!campaign.sells) return pageNotFound(visit)
    const href = `/app/o/${visit.organization.slug}/campaigns/${campaign.slug}`
    const back = { href, label: campaign.name }
    return lineFormPage(visit, {
      title: "New line",
      action: `${href}/lines`,
      submit: "Add the line",
      back,
      typed,
      errors,
    })
  })
}

async function takeNewLine(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, actor } = visit
  const typed = typedLine(await readForm(visit.request))
  const added = await addLine(context, organization, param(visit, "campaign"), typed, actor)
  if (added.outcome === "refused") return newLineForm(visit, typed, lineErrors(added.errors))
  if (added.outcome === "not found") return pageNotFound(visit)
  return goTo(visit, `${visit.url.pathname}/${added.packageId}`, done("The line is added."))
}

interface LineEdit {
  readonly typed: TypedLine
  readonly errors: Errors
  readonly started: StartedFrom
  readonly theirs?: string
}

function startOf({ line }: LinePlace): LineEdit {
  const typed = typedOf(line)
  return { typed, errors: {}, started: { revision: revisionOf(lineFields(line)), shown: revisionOf(typed) } }
}

async function editLineForm(place: LinePlace, edit: LineEdit = startOf(place)): Promise<Response> {
  const { visit, line, href } = place
  if (line.seller.id !== visit.organization.id) return pageNotFound(visit)
  const basisStays = await visit.context.store.campaigns.hasFigures(line.lineId)
  const back = { href, label: line.name }
  return lineFormPage(visit, {
    title: `Edit ${line.name}`,
    action: `${href}/edit`,
    submit: "Save",
    back,
    basisStays,
    ...edit,
  })
}

async function takeEdit(place: LinePlace): Promise<Response> {
  const { visit, line, href } = place
  const form = await readForm(visit.request)
  const typed = typedLine(form)
  const started = startedFrom(form)
  const by = { actor: visit.actor, seen: started.revision }
  const edited = await editLine(visit.context, visit.organization, line.packageId, typed, by)
  switch (edited.outcome) {
    case "refused":
      return editLineForm(place, { typed, errors: lineErrors(edited.errors), started })
    case "not found":
      return pageNotFound(visit)
    case "done":
      return goTo(visit, href, done("Saved."))
    case "changed":
      return withLine(visit, (now) => editLineForm(now, conflictWith(now, started, typed)))
  }
}

function conflictWith(place: LinePlace, { shown }: StartedFrom, mine: TypedLine): LineEdit {
  const { started, typed: theirs } = startOf(place)
  const { texts, errors } = conflictOf(shown, mine, theirs)
  return { typed: texts, errors: lineErrors(errors), started, theirs: `${place.href}/edit` }
}

const LINES = "/app/o/:org/campaigns/:campaign/lines"

export const lineFormRoutes = [
  forAdmin("GET", "/app/o/:org/campaigns/:campaign/new-line", (visit) => newLineForm(visit, emptyLine(visit), {})),
  forAdmin("POST", LINES, takeNewLine),
  forAdmin("GET", `${LINES}/:package/edit`, (visit) => withLine(visit, (place) => editLineForm(place))),
  forAdmin("POST", `${LINES}/:package/edit`, (visit) => withLine(visit, takeEdit)),
]
