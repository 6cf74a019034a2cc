import {
  createCampaign,
  knownBuyers,
  type Seller,
  type TypedCampaign,
} from "../../../actions/campaigns/create-campaign.ts"
import { buyerToConfirm, type CampaignEdit, editCampaign } from "../../../actions/campaigns/edit-campaign.ts"
import { campaignFields, type TypedBuyer } from "../../../domain/campaign/buyer-choice.ts"
import { conflictOf, revisionOf } from "../../../domain/revision.ts"
import type { Company, ShownCampaign } from "../../../storage/port/store.ts"
import { type Errors, type Form as FormFields, readForm } from "../form.ts"
import { Checkbox, Field, Select } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../parts/started-from.tsx"
import { Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forAdmin } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { withCampaign } from "./campaign.tsx"
import { emptyLine, LineFields, lineErrors, typedLine } from "./line-form.tsx"
import { pageNotFound } from "./refusals.tsx"

const sellerOf = ({ organization, person }: OrganizationVisit): Seller => ({
  organization,
  knowsEverybody: person.isOperator,
})

interface BuyerFieldsProps {
  readonly buyers: readonly Company[]
  readonly typed: TypedBuyer
  readonly errors: Errors
  readonly hint: string
}

/** A buyer is chosen or named, and none is chosen beforehand: who buys sees the figures. */
function BuyerFields({ buyers, typed, errors, hint }: BuyerFieldsProps) {
  const choices = [
    { value: "", label: "New buyer (enter below)" },
    ...buyers.map(({ slug, name }) => ({ value: slug, label: name })),
  ]
  return (
    <>
      {buyers.length > 0 && <Select name="buyer" label="Buyer" value={typed.buyer} choices={choices} errors={errors} />}
      <Field
        name="new_buyer"
        label={buyers.length > 0 ? "New buyer" : "Buyer"}
        value={typed.newBuyer}
        errors={errors}
        hint={hint}
      />
    </>
  )
}

async function newCampaignForm(visit: OrganizationVisit, typed: TypedCampaign, errors: Errors): Promise<Response> {
  const base = `/app/o/${visit.organization.slug}`
  const list = `${base}/campaigns`
  const buyers = await knownBuyers(visit.context, sellerOf(visit))
  return page(visit, {
    title: "New campaign",
    active: list,
    status: Object.keys(errors).length > 0 ? 422 : 200,
    body: (
      <>
        <Heading title="New campaign" trail={[{ href: list, label: "Campaigns" }]} />
        <section class="card wide">
          <Form action={`${base}/new-campaign`} submit="Create the campaign" cancel={list} errors={errors}>
            <Field name="name" label="Campaign" value={typed.name} required errors={errors} />
            <BuyerFields
              buyers={buyers}
              typed={typed}
              errors={errors}
              hint="The company that books. You can show it the campaign with a share link; it needs no account."
            />
            <h2>Its first line</h2>
            <LineFields typed={typed.line} errors={errors} />
          </Form>
        </section>
      </>
    ),
  })
}

async function takeNewCampaign(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { name: form.text("name"), ...typedBuyer(form), line: typedLine(form) }
  const created = await createCampaign(visit.context, sellerOf(visit), typed, visit.actor)
  if (created.ok) {
    return goTo(visit, `/app/o/${visit.organization.slug}/campaigns/${created.slug}`, done("The campaign is ready."))
  }
  return newCampaignForm(visit, typed, { ...campaignErrors(created.errors), ...lineErrors(created.lineErrors) })
}

const typedBuyer = (form: FormFields): TypedBuyer => ({ buyer: form.text("buyer"), newBuyer: form.text("new_buyer") })

/** What is wrong, under the names that the form's fields have. */
function campaignErrors({ newBuyer, ...errors }: Readonly<Record<string, string>>): Errors {
  return { ...errors, ...(newBuyer !== undefined && { new_buyer: newBuyer }) }
}

interface EditDraft {
  readonly typed: CampaignEdit
  readonly errors: Errors
  readonly started: StartedFrom
  readonly theirs?: string
}

function startOf({ name, buyer }: ShownCampaign): EditDraft {
  const typed = { name, buyer: buyer.slug, newBuyer: "", confirmed: "" }
  const revision = revisionOf(campaignFields(name, buyer.slug))
  return { typed, errors: {}, started: { revision, shown: revisionOf(typed) } }
}

const addressOf = ({ organization }: OrganizationVisit, { slug }: ShownCampaign) =>
  `/app/o/${organization.slug}/campaigns/${slug}`

async function editForm(
  visit: OrganizationVisit,
  campaign: ShownCampaign,
  draft: EditDraft = startOf(campaign),
): Promise<Response> {
  if (!campaign.isSoleSeller) return pageNotFound(visit)
  const { typed, errors, started, theirs } = draft
  const list = `/app/o/${visit.organization.slug}/campaigns`
  const href = addressOf(visit, campaign)
  const { slug, name } = campaign.buyer
  const others = (await knownBuyers(visit.context, sellerOf(visit))).filter((one) => one.slug !== slug)
  return page(visit, {
    title: `Edit ${campaign.name}`,
    active: list,
    status: Object.keys(errors).length > 0 ? 422 : 200,
    body: (
      <>
        <Heading
          title={`Edit ${campaign.name}`}
          trail={[
            { href: list, label: "Campaigns" },
            { href, label: campaign.name },
          ]}
        />
        <section class="card narrow">
          <Form action={`${href}/edit`} submit="Save" cancel={href} theirs={theirs} errors={errors}>
            <StartedFromFields {...started} />
            <Field name="name" label="Campaign" value={typed.name} required errors={errors} />
            <BuyerFields
              buyers={[{ slug, name }, ...others]}
              typed={typed}
              errors={errors}
              hint={`Another buyer sees every figure of this campaign at once, and ${name} no longer does.`}
            />
            {(errors["confirmed"] !== undefined || typed.confirmed !== "") && (
              <Checkbox
                name="confirmed"
                checked={typed.confirmed !== ""}
                value={buyerToConfirm(typed)}
                label={`Show the figures to the new buyer, and no longer to ${name}`}
                errors={errors}
              />
            )}
          </Form>
        </section>
      </>
    ),
  })
}

async function takeEdit(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  if (!campaign.isSoleSeller) return pageNotFound(visit)
  const form = await readForm(visit.request)
  const typed = { name: form.text("name"), ...typedBuyer(form), confirmed: form.text("confirmed") }
  const started = startedFrom(form)
  const made = { seen: started.revision, actor: visit.actor }
  const edited = await editCampaign(visit.context, sellerOf(visit), campaign, typed, made)
  switch (edited.outcome) {
    case "refused":
      return editForm(visit, campaign, { typed, errors: campaignErrors(edited.errors), started })
    case "not found":
      return pageNotFound(visit)
    case "done":
      return goTo(visit, addressOf(visit, campaign), done("Saved."))
    case "changed":
      return withCampaign(visit, (now) => editForm(visit, now, conflictWith(visit, now, started, typed)))
  }
}

function conflictWith(
  visit: OrganizationVisit,
  campaign: ShownCampaign,
  { shown }: StartedFrom,
  mine: CampaignEdit,
): EditDraft {
  const { started, typed: theirs } = startOf(campaign)
  const { texts, errors } = conflictOf(shown, { ...mine, confirmed: "" }, theirs)
  return { typed: texts, errors: campaignErrors(errors), started, theirs: `${addressOf(visit, campaign)}/edit` }
}

const EDIT = "/app/o/:org/campaigns/:campaign/edit"

export const campaignFormRoutes = [
  forAdmin("GET", "/app/o/:org/new-campaign", (visit) =>
    newCampaignForm(visit, { name: "", buyer: "", newBuyer: "", line: emptyLine(visit) }, {}),
  ),
  forAdmin("POST", "/app/o/:org/new-campaign", takeNewCampaign),
  forAdmin("GET", EDIT, (visit) => withCampaign(visit, (campaign) => editForm(visit, campaign))),
  forAdmin("POST", EDIT, (visit) => withCampaign(visit, (campaign) => takeEdit(visit, campaign))),
]
