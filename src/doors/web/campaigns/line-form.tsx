import type { ComponentChildren } from "preact"
import { addLine, editLine } from "../../../actions/campaigns/lines.ts"
import { currencyOf, firstCurrency } from "../../../actions/people/organizations.ts"
import { summaryOf } from "../../../domain/campaign/campaign-summary.ts"
import type { TypedLine } from "../../../domain/campaign/line-fields.ts"
import { againstFigures, checkLine, forEachField, lineFields } from "../../../domain/campaign/line-fields.ts"
import { bookedValue } from "../../../domain/campaign/line-state.ts"
import type { PricingBasis } from "../../../domain/campaign/pricing-basis.ts"
import { BASES, isPricingBasis, PRICING_BASES, pricedQuantity, UNITS } from "../../../domain/campaign/pricing-basis.ts"
import { seenOf } from "../../../domain/edit-conflict.ts"
import { statementsInForce } from "../../../domain/sale/statement.ts"
import { writeMoney, writeNumber } from "../../../domain/text/typed-number.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, type SentForm as FormFields, readForm } from "../form.ts"
import { forAdmin, withFound } from "../guards.ts"
import { Checkbox, RadioCards } from "../parts/form/choices.tsx"
import { type Editing, editingRoutes, labelled } from "../parts/form/editing.tsx"
import type { Draft, FormProps } from "../parts/form/form.tsx"
import { Field, Form, FormSection, HiddenInputs, Live, MoneyField } from "../parts/form/form.tsx"
import { formatMoney, formatNumber, formatSum, listInWords } from "../parts/format.tsx"
import type { Trail } from "../parts/page.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { archiveSection, subjectOfLine } from "./archive.tsx"
import { CAMPAIGN, campaignsOf, findOwnLine, findSoldCampaign, LINE, type LineVisit, trailTo } from "./with-line.ts"

const CHOICES = BASES.map((value) => ({ value, label: PRICING_BASES[value].label, note: PRICING_BASES[value].note }))

/**
 * What a line is, in the order in which it is sold. The basis decides which fields there are, by the style sheet alone. Once delivery has
 * been reported, it stays.
 */
export async function lineSections(visit: OrganizationVisit, typed: TypedLine, errors: Errors, basisStays = false) {
  // A form of ours always has it; others are asked for it.
  const basis = basisStays && isPricingBasis(typed.pricingBasis) ? typed.pricingBasis : null
  const hasMore = typed.externalId !== "" || errors["externalId"] !== undefined || errors["external_id"] !== undefined
  return [
    <FormSection title="What was sold" hint="The buyer sees these words on the report.">
      <Field name="line_name" label="Name of the line" required hint="Such as “Pre-roll, morning show”." />
      {basis === null ? (
        <RadioCards name="pricing_basis" label="Priced on" choices={CHOICES} />
      ) : (
        [
          <HiddenInputs values={{ pricing_basis: basis }} />,
          <p class="hint">
            Priced on {PRICING_BASES[basis].label.toLowerCase()}. This can’t change once totals are reported.
          </p>,
        ]
      )}
    </FormSection>,
    <FormSection title="How much" hint={<span class="not-flat">You are paid at most for what was booked.</span>}>
      <div class="fields">
        <MoneyField
          name="rate"
          currency="currency"
          label="Rate"
          used={await currenciesOf(visit)}
          unit={units(basis, BASES, priceOf)}
        />
        {basis !== "flat_rate" && (
          <div class="not-flat">
            <Field name="booked" label="Booked" inputmode="decimal" unit={units(basis, UNITS, (unit) => unit)} />
          </div>
        )}
      </div>
      <p class="hint">
        <Live id="price">{priceText(typed)}</Live>
      </p>
    </FormSection>,
    <FormSection title="When" hint={`Both days included, in ${visit.organization.timeZone}.`}>
      <div class="fields">
        <Field type="date" name="flight_start" label="First day" required />
        <Field type="date" name="flight_end" label="Last day" />
      </div>
      <details class="more" open={hasMore}>
        <summary>
          More: <span class="soft">your own ID</span>
        </summary>
        <Field
          name="external_id"
          label="Your line ID"
          maxlength={128}
          hint="The ID of this line in your ad server. Files and programs can use it; buyers don’t see it."
        />
      </details>
    </FormSection>,
  ]
}

/** €12.50 for 1,000 impressions, so 40,000 are €500.00. Without a price that can be read, how the quantity is. */
function priceText(typed: TypedLine): string {
  // Read as it will be when it is saved, whatever the other fields say.
  const line = { ...typed, name: "-", flightStart: "2000-01-01", flightEnd: "", externalId: "" }
  const priced = checkLine(line)
  const read = priced.ok ? priced : checkLine({ ...line, rate: "", currency: "" })
  if (!read.ok) return ""
  const { pricingBasis, rate, booked, currency } = read.line
  if (rate === null) return booked === null ? "" : `${formatNumber(booked)} ${pricingBasis} are booked.`
  if (pricingBasis === "flat_rate") return `${formatSum(rate, currency)} once it has run.`
  const each = `${formatMoney(rate, currency)} for ${pricedQuantity(pricingBasis)}`
  const worth = bookedValue({ ...read.line, total: null })
  return booked === null || worth === null
    ? `${each}.`
    : `${each}, so ${formatNumber(booked)} are ${formatSum(worth, currency)}.`
}

const priceOf = (basis: PricingBasis) =>
  basis === "flat_rate" ? "for the whole flight" : `per ${pricedQuantity(basis)}`

/** The unit of each basis, of which the chosen one shows. */
function units(basis: PricingBasis | null, of: readonly PricingBasis[], words: (basis: PricingBasis) => string) {
  if (basis === null) return of.map((each) => <span class={`if-${each}`}>{words(each)}</span>)
  return of.includes(basis) && <span>{words(basis)}</span>
}

/** The usual one first, then those of its lines. */
async function currenciesOf({ context: { store }, organization }: OrganizationVisit): Promise<string[]> {
  const all = [await currencyOf(store, organization), ...(await store.campaigns.currencies(organization.id))]
  return [...new Set(all)].filter((code) => code !== "")
}

export function emptyLine({ now, organization }: OrganizationVisit, currency = ""): TypedLine {
  const flightStart = dayOf(now, organization.timeZone)
  return { ...forEachField(() => ""), currency, pricingBasis: BASES[0], flightStart }
}

export function typedLine(form: FormFields): TypedLine {
  const typed = forEachField(({ column }) => form.text(column === "name" ? "line_name" : column))
  // A field that the chosen basis does not have is not shown.
  const booked = typed.pricingBasis === "flat_rate" ? "" : typed.booked
  return { ...typed, booked, currency: typed.currency.toUpperCase() }
}

export const lineValues = ({ name, ...line }: TypedLine) => ({ ...line, lineName: name })

/** Errors of the line's fields. The form of a new campaign has two names, so the line's has its own. */
export const lineErrors = ({ name, ...errors }: Errors): Errors => ({
  ...errors,
  ...(name !== undefined && { line_name: name }),
})

const typedOf = (line: ShownLine): TypedLine =>
  forEachField(({ field }) => {
    const value = line[field]
    if (typeof value !== "number") return value ?? ""
    return field === "rate" ? writeMoney(value) : writeNumber(value)
  })

type LineForm = Omit<FormProps, "submit" | "draft" | "children"> &
  Readonly<{ title: string; intro?: string; trail: Trail; draft: Draft<TypedLine>; basisStays?: boolean }> &
  Readonly<{ below?: ComponentChildren }>

async function lineFormPage(visit: OrganizationVisit, line: LineForm): Promise<Response> {
  const { title, intro, trail, draft, basisStays = false, below, ...form } = line
  const tried = { ...draft, typed: lineValues(draft.typed), errors: lineErrors(draft.errors ?? {}) }
  return headedPage(visit, {
    title,
    intro,
    trail,
    body: [
      <Form live saveNote="" submit="Save" {...form} draft={tried}>
        {await lineSections(visit, draft.typed, tried.errors, basisStays)}
        {tried.errors["anyway"] !== undefined && (
          <Checkbox name="anyway" label="Save it anyway" value={oddness(draft.typed)} checked={false} />
        )}
      </Form>,
      below,
    ],
  })
}

async function newLineForm(visit: OrganizationVisit, campaign: ShownCampaign, tried?: Draft<TypedLine>) {
  const cancel = `${campaignsOf(visit)}/${campaign.slug}`
  return lineFormPage(visit, {
    title: "Add a line",
    intro: `Bought by ${campaign.buyer.name}`,
    action: `${cancel}/lines`,
    also: { name: "again", label: "Save and add another" },
    saveNote: "The next line keeps the basis, rate and flight.",
    trail: trailTo(visit, campaign),
    cancel,
    draft: tried ?? { typed: await likeTheLast(visit, campaign) },
  })
}

/** A new line is like the one that the address names, or like the last one of its campaign in the flight of all: without name, quantity and id. */
async function likeTheLast(visit: OrganizationVisit, campaign: ShownCampaign): Promise<TypedLine> {
  const { campaigns } = visit.context.store
  const lines = await campaigns.lines(visit.organization.id, campaign, { sold: true })
  const named = lines.find(({ packageId }) => packageId === visit.url.searchParams.get("like"))
  const last = named ?? lines.toSorted((a, b) => b.lineId - a.lineId)[0]
  const empty = emptyLine(visit, last?.currency ?? (await firstCurrency(visit.context.store, visit.organization)))
  if (last === undefined) return empty
  const { pricingBasis, rate } = typedOf(last)
  const { searchParams } = visit.url
  // What makes up for a line that fell short: as many as are missing, from today on.
  const booked = searchParams.get("booked")
  if (booked !== null) return { ...empty, pricingBasis, rate, booked, name: searchParams.get("name") ?? "" }
  const { from, to } = summaryOf(named === undefined ? lines : [named], visit.now)
  return { ...empty, pricingBasis, rate, flightStart: from ?? "", flightEnd: to ?? "" }
}

async function addFromForm(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = typedLine(form)
  if (form.has("look")) return newLineForm(visit, campaign, { typed })
  const added = await addLine(visit.context, visit.organization, campaign.slug, typed, visit.actor)
  if (added.outcome === "not found") return pageNotFound(visit)
  if (added.outcome === "refused") return newLineForm(visit, campaign, { typed, errors: added.errors })
  const said = `${typed.name} has been added.`
  const line = `${visit.url.pathname}/${added.packageId}`
  const again = `${visit.url.pathname.replace(/\/lines$/, "/new-line")}?like=${encodeURIComponent(added.packageId)}`
  return form.has("again")
    ? goTo(visit, again, done(said, line, "Open the line"))
    : goTo(visit, line, done(said, again, "Add another line"))
}

/** What an answer is about: other dates, quantities or prices are asked about again. */
const oddness = ({ booked, flightStart, rate, currency }: TypedLine) => [booked, flightStart, rate, currency].join("/")

type EditedLine = TypedLine & { readonly anyway?: string }

const edit: Editing<OrganizationVisit, LineVisit, EditedLine> = {
  find: findOwnLine,
  start: ({ line }) => ({ typed: typedOf(line), seen: seenOf(lineFields(line)) }),
  async page(visit, found, draft) {
    const { line, href } = found
    const basisStays = await visit.context.store.campaigns.hasFigures(line.lineId)
    const below = await archiveSection(subjectOfLine(found))
    return lineFormPage(visit, { ...pageOf(found), action: `${href}/edit`, cancel: href, draft, basisStays, below })
  },
  read: (form) => ({ ...typedLine(form), anyway: form.text("anyway") }),
  async save(visit, { campaign, line, href }, { anyway, ...typed }, by) {
    const checked = checkLine(typed)
    const odd = checked.ok
      ? {
          ...againstFigures(checked.line, line, visit.organization.timeZone),
          ...(await againstStatements(visit, campaign, line, checked.line)),
        }
      : {}
    if (Object.keys(odd).length > 0 && anyway !== oddness(typed))
      return { outcome: "refused", errors: { ...odd, anyway: "If that is right, save it anyway." } }
    const edited = await editLine(visit.context, visit.organization, line.packageId, typed, by)
    if (edited.outcome !== "done") return edited
    return goTo(visit, href, done("Saved.", `${campaignsOf(visit)}/${campaign.slug}`, "Back to the campaign"))
  },
  compared: ({ anyway: _, ...mine }, theirs) => ({ mine: lineValues(mine), theirs: lineValues(theirs) }),
  conflict: (found) => ({
    ...pageOf(found),
    what: "this line",
    changes: [["edit line", found.line.packageId]],
    labels: labelled({ line_name: "Line", pricing_basis: "Priced on", currency: "Rate", external_id: "Your line ID" }),
  }),
}

/** A statement keeps the rate at which a line was settled; with another one there is a difference that is not settled yet. */
async function againstStatements(
  { context, organization }: OrganizationVisit,
  { id }: ShownCampaign,
  before: ShownLine,
  { rate, currency }: Pick<ShownLine, "rate" | "currency">,
): Promise<Errors> {
  if (rate === before.rate && currency === before.currency) return {}
  const inForce = statementsInForce(await context.store.statements.list([id], organization.id))
  const covering = inForce.filter(({ body }) => body?.lines.some(({ packageId }) => packageId === before.packageId))
  if (covering.length === 0) return {}
  const numbers = covering.flatMap(({ number }) => number ?? []).toReversed()
  const settled = before.rate === null ? "without a rate" : `at ${formatMoney(before.rate, before.currency)}`
  return {
    rate: `${listInWords(numbers, 3)} ${numbers.length === 1 ? "states" : "state"} this line ${settled} and will not change. The difference becomes “not settled yet”.`,
  }
}

const pageOf = ({ visit, campaign, line, href }: LineVisit) => ({
  title: `Edit ${line.name}`,
  trail: [...trailTo(visit, campaign), { href, label: line.name }],
})

export const lineFormRoutes = [
  forAdmin("GET", `${CAMPAIGN}/new-line`, withFound(findSoldCampaign, newLineForm)),
  forAdmin("POST", `${CAMPAIGN}/lines`, withFound(findSoldCampaign, addFromForm)),
  ...editingRoutes(forAdmin, `${LINE}/edit`, edit),
]
