import { newId } from "../../../actions/new-id.ts"
import { checkFor } from "../../../domain/check.ts"
import { checkLine, type TypedLine } from "../../../domain/line-fields.ts"
import { Name } from "../../../domain/organization.ts"
import type { BuyerChoice, Company, ShownCampaign } from "../../../storage/store.ts"
import { type Errors, type Form as FormFields, readForm } from "../form.ts"
import { Heading } from "../parts/bits.tsx"
import { Field, Select } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { done, goTo, page } from "../respond.ts"
import { forAdmin } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { withCampaign } from "./campaign.tsx"
import { emptyLine, LineFields, lineErrors, typedLine } from "./line-form.tsx"
import { pageNotFound } from "./refusals.tsx"

const NEW_BUYER = ""
const isName = checkFor(Name)

interface Typed {
  readonly name: string
  readonly buyer: string
  readonly newBuyer: string
  readonly line: TypedLine
}

/** A seller chooses among those it sold to before; only the operator knows everybody. */
function knownBuyers({ context, organization, person }: OrganizationVisit): Promise<Company[]> {
  return context.store.campaigns.buyers(person.isOperator ? null : organization.id)
}

async function newCampaignForm(visit: OrganizationVisit, typed: Typed, errors: Errors): Promise<Response> {
  const base = `/app/o/${visit.organization.slug}`
  const list = `${base}/campaigns`
  const buyers = await knownBuyers(visit)
  const choices = [
    ...buyers.map(({ slug, name }) => ({ value: slug, label: name })),
    { value: NEW_BUYER, label: "A new buyer, named below" },
  ]
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
            {buyers.length > 0 && (
              <Select name="buyer" label="Buyer" value={typed.buyer} choices={choices} errors={errors} />
            )}
            <Field
              name="new_buyer"
              label={buyers.length > 0 ? "New buyer" : "Buyer"}
              value={typed.newBuyer}
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

async function createCampaign(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, actor, now } = visit
  const form = await readForm(visit.request)
  const typed = typedIn(form)
  const checked = checkLine(typed.line)
  const buyer = await buyerChosen(visit, typed)
  const errors = {
    ...(!isName(typed.name).ok && { name: "Give the campaign a name of at most 200 characters." }),
    ...(buyer === null && {
      [typed.buyer === NEW_BUYER ? "new_buyer" : "buyer"]: "Choose a buyer, or name a new one.",
    }),
    ...(!checked.ok && lineErrors(checked.errors)),
  }
  if (buyer === null || !checked.ok || Object.keys(errors).length > 0) return newCampaignForm(visit, typed, errors)
  const line = { ...checked.line, packageId: newId(context.random) }
  const change = { actor, at: now }
  const slug = await context.store.campaigns.create(organization.id, { name: typed.name, buyer }, line, change)
  if (slug === null) return newCampaignForm(visit, typed, { buyer: "This buyer is gone. Choose another." })
  return goTo(visit, `/app/o/${organization.slug}/campaigns/${slug}`, done("The campaign is ready."))
}

function typedIn(form: FormFields): Typed {
  const newBuyer = form.text("new_buyer")
  return { name: form.text("name"), buyer: form.text("buyer"), newBuyer, line: typedLine(form) }
}

async function buyerChosen(visit: OrganizationVisit, { buyer, newBuyer }: Typed): Promise<BuyerChoice | null> {
  if (buyer === NEW_BUYER) return isName(newBuyer).ok ? { newName: newBuyer } : null
  // Only one of those that were offered: another's name typed by hand is no choice.
  return (await knownBuyers(visit)).some(({ slug }) => slug === buyer) ? { slug: buyer } : null
}

function renameForm(visit: OrganizationVisit, campaign: ShownCampaign, name: string, errors: Errors): Response {
  if (!campaign.isSoleSeller) return pageNotFound(visit)
  const list = `/app/o/${visit.organization.slug}/campaigns`
  const href = `${list}/${campaign.slug}`
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
          <Form action={`${href}/edit`} submit="Save" cancel={href} errors={errors}>
            <Field name="name" label="Campaign" value={name} required errors={errors} />
          </Form>
        </section>
      </>
    ),
  })
}

async function renameCampaign(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const { context, organization, actor, now } = visit
  const name = (await readForm(visit.request)).text("name")
  if (!isName(name).ok) return renameForm(visit, campaign, name, { name: "Give it a name of at most 200 characters." })
  const change = { actor, at: now }
  const renamed = await context.store.campaigns.rename(organization.id, campaign.slug, name, change)
  if (!renamed) return pageNotFound(visit)
  return goTo(visit, `/app/o/${organization.slug}/campaigns/${campaign.slug}`, done("Saved."))
}

const EDIT = "/app/o/:org/campaigns/:campaign/edit"

export const campaignFormRoutes = [
  forAdmin("GET", "/app/o/:org/new-campaign", async (visit) => {
    const [first] = await knownBuyers(visit)
    const typed = { name: "", buyer: first?.slug ?? NEW_BUYER, newBuyer: "", line: emptyLine(visit) }
    return newCampaignForm(visit, typed, {})
  }),
  forAdmin("POST", "/app/o/:org/new-campaign", createCampaign),
  forAdmin("GET", EDIT, (visit) => withCampaign(visit, (campaign) => renameForm(visit, campaign, campaign.name, {}))),
  forAdmin("POST", EDIT, (visit) => withCampaign(visit, (campaign) => renameCampaign(visit, campaign))),
]
