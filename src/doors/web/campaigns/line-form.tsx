import { addLine, editLine } from "../../../actions/campaigns/lines.ts"
import { forEachField, lineFields, type TypedLine } from "../../../domain/campaign/line-fields.ts"
import { type Revision, revisionOf } from "../../../domain/edit-conflict.ts"
import { writeNumber } from "../../../domain/text/typed-number.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, type SentForm as FormFields, readForm } from "../form.ts"
import { Select } from "../parts/form/choices.tsx"
import { conflictPage, labelled } from "../parts/form/conflict.tsx"
import { DateField, Field, MoneyField } from "../parts/form/fields.tsx"
import { type Draft, Form, HiddenInputs, startedFrom } from "../parts/form/form.tsx"
import { BASIS_LABELS } from "../parts/line.tsx"
import { headedPage, type Trail } from "../parts/page.tsx"
import { done, goTo } from "../respond.ts"
import { type Answer, forAdmin } from "../route.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { ArchiveSection } from "./archive.tsx"
import { campaignsOf, trailTo, withCampaign } from "./campaign.tsx"
import { type LineVisit, withLine } from "./with-line.ts"

const CHOICES = Object.entries(BASIS_LABELS).map(([value, label]) => ({ value, label }))

interface LineFieldsProps {
  readonly basis: string
  /** Once delivery has been reported, the pricing basis cannot change. */
  readonly basisStays?: boolean
  /** Currencies that the organization uses already. */
  readonly currencies: readonly string[]
}

export function LineFields({ basis, basisStays = false, currencies }: LineFieldsProps) {
  return (
    <>
      <Field name="line_name" label="Line" required hint="What you deliver, such as “Pre-roll, morning show”." />
      {basisStays ? (
        <HiddenInputs values={{ pricing_basis: basis }} />
      ) : (
        <Select
          name="pricing_basis"
          label="Priced on"
          choices={CHOICES}
          hint="It cannot be changed once delivery has been reported."
        />
      )}
      <div class="fields">
        <DateField name="flight_start" label="Flight starts" required />
        <DateField name="flight_end" label="Flight ends" />
      </div>
      {!(basisStays && basis === "flat_rate") && (
        <Field
          name="booked"
          label="Booked"
          inputmode="decimal"
          hint="Impressions or downloads in total, for the pace. A flat rate has none."
        />
      )}
      <MoneyField
        name="rate"
        currency="currency"
        label="Rate"
        used={currencies}
        hint="For 1,000 impressions or downloads, or the whole flat rate."
      />
      <Field
        name="external_id"
        label="Your own ID"
        maxlength={128}
        hint="The ID of this line in your ad server, if you want to refer to it in uploads. Buyers do not see it."
      />
    </>
  )
}

export const currenciesOf = ({ context, organization }: OrganizationVisit) =>
  context.store.campaigns.currencies(organization.id)

export function emptyLine({ now, organization }: OrganizationVisit, currency = ""): TypedLine {
  const flightStart = dayOf(now, organization.timeZone)
  return { ...forEachField(() => ""), currency, pricingBasis: "impressions", flightStart }
}

export function typedLine(form: FormFields): TypedLine {
  const typed = forEachField(({ column }) => form.text(column === "name" ? "line_name" : column))
  return { ...typed, currency: typed.currency.toUpperCase() }
}

/** The values of the line's fields. */
export const lineValues = ({ name, ...line }: TypedLine) => ({ ...line, lineName: name })

/** Errors of the line's fields. The form of a new campaign has two names, so the line's has its own. */
export function lineErrors({ name, ...errors }: Errors): Errors {
  return { ...errors, ...(name !== undefined && { line_name: name }) }
}

function typedOf(line: ShownLine): TypedLine {
  return forEachField(({ field }) => {
    const value = line[field]
    return typeof value === "number" ? writeNumber(value) : (value ?? "")
  })
}

interface LineForm {
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly trail: Trail
  readonly cancel: string
  readonly draft: Draft<TypedLine>
  readonly basisStays?: boolean
  /** The line that is edited. */
  readonly stored?: ShownLine
}

async function lineFormPage(visit: OrganizationVisit, line: LineForm): Promise<Response> {
  const currencies = await currenciesOf(visit)
  const { title, trail, draft, basisStays = false, stored, ...form } = line
  const shown = { ...draft, typed: lineValues(draft.typed), errors: lineErrors(draft.errors ?? {}) }
  return headedPage(visit, {
    title,
    active: campaignsOf(visit),
    trail,
    body: (
      <>
        <section class="card form-card">
          <Form {...form} draft={shown}>
            <LineFields basis={draft.typed.pricingBasis} basisStays={basisStays} currencies={currencies} />
          </Form>
        </section>
        {stored && <ArchiveSection href={form.cancel} archived={stored.archived} what="line" hasFigures={basisStays} />}
      </>
    ),
  })
}

function newLineForm(visit: OrganizationVisit, campaign: ShownCampaign, draft: Draft<TypedLine>): Answer {
  if (!campaign.sells) return pageNotFound(visit)
  const cancel = `${campaignsOf(visit)}/${campaign.slug}`
  const trail = trailTo(visit, campaign)
  return lineFormPage(visit, { title: "New line", action: `${cancel}/lines`, submit: "Add line", trail, cancel, draft })
}

async function addFromForm(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, actor } = visit
  const typed = typedLine(await readForm(visit.request))
  const added = await addLine(context, organization, param(visit, "campaign"), typed, actor)
  if (added.outcome === "refused") {
    const { errors } = added
    return withCampaign((_, campaign) => newLineForm(visit, campaign, { typed, errors }))(visit)
  }
  if (added.outcome === "not found") return pageNotFound(visit)
  return goTo(visit, `${visit.url.pathname}/${added.packageId}`, done("The line has been added."))
}

function startOf({ line }: LineVisit): Draft<TypedLine> {
  const typed = typedOf(line)
  return { typed, started: { revision: revisionOf(lineFields(line)), shown: revisionOf(lineValues(typed)) } }
}

async function editLineForm(place: LineVisit, draft = startOf(place)): Promise<Response> {
  const { visit, campaign, line, href } = place
  if (line.seller.id !== visit.organization.id) return pageNotFound(visit)
  const basisStays = await visit.context.store.campaigns.hasFigures(line.lineId)
  const trail = [...trailTo(visit, campaign), { href, label: line.name }]
  const title = `Edit ${line.name}`
  const form = { action: `${href}/edit`, submit: "Save", cancel: href }
  return lineFormPage(visit, { ...form, title, trail, draft, basisStays, stored: line })
}

async function saveEdit(place: LineVisit): Promise<Response> {
  const { visit, line, href } = place
  const form = await readForm(visit.request)
  const typed = typedLine(form)
  const started = startedFrom(form)
  const by = { actor: visit.actor, seen: started.revision }
  const edited = await editLine(visit.context, visit.organization, line.packageId, typed, by)
  switch (edited.outcome) {
    case "refused":
      return editLineForm(place, { typed, errors: edited.errors, started })
    case "not found":
      return pageNotFound(visit)
    case "done":
      return goTo(visit, href, done("Saved."))
    case "changed":
      return withLine((now) => lineConflict(now, typed, started.shown))(visit)
  }
}

const LABELS = labelled({ line_name: "Line", pricing_basis: "Priced on", currency: "Rate", external_id: "Your own ID" })

function lineConflict(place: LineVisit, mine: TypedLine, shown: Revision): Promise<Response> {
  const { visit, campaign, line, href } = place
  const { typed: theirs, started } = startOf(place)
  return conflictPage(visit, {
    title: `Edit ${line.name}`,
    active: campaignsOf(visit),
    trail: [...trailTo(visit, campaign), { href, label: line.name }],
    what: "this line",
    changes: [["edit line", line.packageId]],
    action: `${href}/edit`,
    theirsHref: `${href}/edit`,
    shown,
    mine: lineValues(mine),
    theirs: lineValues(theirs),
    started,
    labels: LABELS,
  })
}

const CAMPAIGN = "/app/o/:org/campaigns/:campaign"
const EDIT = `${CAMPAIGN}/lines/:package/edit`

export const lineFormRoutes = [
  forAdmin(
    "GET",
    `${CAMPAIGN}/new-line`,
    withCampaign(async (visit, campaign) => {
      const [currency] = await currenciesOf(visit)
      return newLineForm(visit, campaign, { typed: emptyLine(visit, currency) })
    }),
  ),
  forAdmin("POST", `${CAMPAIGN}/lines`, addFromForm),
  forAdmin(
    "GET",
    EDIT,
    withLine((place) => editLineForm(place)),
  ),
  forAdmin("POST", EDIT, withLine(saveEdit)),
]
