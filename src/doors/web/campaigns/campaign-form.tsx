import type { CampaignEdit, Seller, TypedCampaign } from "../../../actions/campaigns/campaigns.ts"
import {
  campaignFields,
  createCampaign,
  editCampaign,
  isLeftWithNothing,
  knownBuyers,
} from "../../../actions/campaigns/campaigns.ts"
import { firstCurrency } from "../../../actions/people/organizations.ts"
import { newBuyerText, type TypedBuyer } from "../../../domain/campaign/buyer-choice.ts"
import { seenOf } from "../../../domain/edit-conflict.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import type { Company, ShownCampaign } from "../../../storage/port/store.ts"
import { type Errors, readForm } from "../form.ts"
import { forAdmin } from "../guards.ts"
import { firstCampaignPage, isFirstRun, totalsStepOf } from "../home/first-run.tsx"
import { Checkbox } from "../parts/form/choices.tsx"
import { type Editing, editingRoutes, labelled } from "../parts/form/editing.tsx"
import { type Draft, Field, Form, FormSection, Live } from "../parts/form/form.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { archiveSection, subjectOfCampaign } from "./archive.tsx"
import { emptyLine, lineErrors, lineSections, lineValues, typedLine } from "./line-form.tsx"
import { CAMPAIGN, campaignsOf, findOwnCampaign, trailTo } from "./with-line.ts"

export const sellerOf = ({ organization, person }: OrganizationVisit): Seller => ({
  organization,
  knowsEverybody: person.isOperator,
})

type BuyerFieldProps = Readonly<{ buyers: readonly Company[]; hint: string; typed: TypedBuyer; errors: Errors }>

/** Another name is asked about again. */
const isConfirmed = ({ buyer, newBuyer }: TypedBuyer) => buyer !== "" && newBuyer === buyer

/**
 * One field that finds or makes. Nothing is chosen beforehand, because the buyer sees the figures. A new name is said to be new; one much
 * like that of a known buyer is confirmed.
 */
export const BuyerField = ({ buyers, hint, typed, errors }: BuyerFieldProps) => [
  <Field
    name="buyer"
    label="Buyer"
    required
    list={buyers.map(({ name }) => name).toSorted(compareNames)}
    hint={hint}
  />,
  isConfirmed(typed) || errors["newBuyer"] !== undefined || errors["new_buyer"] !== undefined ? (
    <Checkbox
      name="new_buyer"
      checked={isConfirmed(typed)}
      value={typed.buyer}
      label={`Add “${typed.buyer}” as a new buyer`}
    />
  ) : (
    <p class="hint">
      <Live id="new-buyer">{newBuyerText(typed.buyer, buyers)}</Live>
    </p>
  ),
]

async function newCampaignForm(visit: OrganizationVisit, typed: TypedCampaign, errors: Errors): Promise<Response> {
  const list = campaignsOf(visit)
  const buyers = await knownBuyers(visit.context, sellerOf(visit))
  const action = `/app/o/${visit.organization.slug}/new-campaign${visit.url.search}`
  const isFirst = isFirstRun(visit)
  const buttons = isFirst
    ? { submit: "Save and continue", cancel: totalsStepOf(visit), cancelLabel: "Skip, I'll add one later" }
    : { submit: "Save", cancel: list, saveNote: "You can add more lines afterwards." }
  const form = (
    <Form action={action} live {...buttons} values={{ ...lineValues(typed.line), ...typed }} errors={errors}>
      <FormSection title="Campaign">
        <BuyerField
          {...{ buyers, typed, errors }}
          hint="A new name is added as a buyer when you save. Nobody is invited."
        />
        <Field name="name" label="Name of the campaign" required />
      </FormSection>
      {await lineSections(visit, typed.line, errors)}
    </Form>
  )
  if (isFirst) return firstCampaignPage(visit, form)
  return headedPage(visit, { title: "New campaign", active: list, trail: trailTo(visit), body: form })
}

async function createFromForm(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { ...form.texts("name", "buyer"), newBuyer: form.text("new_buyer"), line: typedLine(form) }
  if (form.has("look")) return newCampaignForm(visit, typed, {})
  const created = await createCampaign(visit.context, sellerOf(visit), typed, visit.actor)
  if (created.slug !== null) return afterCreation(visit, `${campaignsOf(visit)}/${created.slug}`)
  return newCampaignForm(visit, typed, { ...created.errors, ...lineErrors(created.lineErrors) })
}

function afterCreation(visit: OrganizationVisit, href: string): Response {
  const [next, text] = isFirstRun(visit)
    ? [totalsStepOf(visit), "Your first campaign is saved."]
    : [href, "The campaign has been created."]
  return goTo(visit, next, done(text, `${href}/share`, "Share it with the buyer"))
}

async function editPage(visit: OrganizationVisit, campaign: ShownCampaign, draft: Draft<CampaignEdit>) {
  const { typed, errors } = draft
  const href = `${campaignsOf(visit)}/${campaign.slug}`
  const { slug, name } = campaign.buyer
  const others = (await knownBuyers(visit.context, sellerOf(visit))).filter((company) => company.slug !== slug)
  const hint = `A new buyer sees all figures of this campaign at once. ${name} no longer does.`
  const isLeft = await isLeftWithNothing(visit.context, campaign)
  const shown = `Show the figures to the new buyer, and no longer to ${name}`
  return headedPage(visit, {
    title: `Edit ${campaign.name}`,
    trail: trailTo(visit, campaign),
    body: [
      <section class="card narrow">
        <Form action={`${href}/edit`} submit="Save" cancel={href} draft={draft}>
          <Field name="name" label="Name of the campaign" required />
          <BuyerField buyers={[{ slug, name }, ...others]} hint={hint} typed={typed} errors={errors ?? {}} />
          {(errors?.["confirmed"] !== undefined || typed.confirmed !== "") && [
            <Checkbox name="confirmed" checked={typed.confirmed !== ""} value={typed.buyer} label={shown} />,
            isLeft && (
              <Checkbox
                name="remove_buyer"
                checked={typed.removeBuyer !== ""}
                label={`Also remove ${name} from the buyers`}
                hint="It bought nothing else, and has no people."
              />
            ),
          ]}
        </Form>
      </section>,
      await archiveSection(subjectOfCampaign(visit, campaign)),
    ],
  })
}

const edit: Editing<OrganizationVisit, ShownCampaign, CampaignEdit> = {
  find: findOwnCampaign,
  start: ({ name, buyer }) => ({
    typed: { name, buyer: buyer.name, newBuyer: "", confirmed: "", removeBuyer: "" },
    seen: seenOf(campaignFields(name, buyer.slug)),
  }),
  page: editPage,
  read: (form) => ({
    ...form.texts("name", "buyer", "confirmed"),
    newBuyer: form.text("new_buyer"),
    removeBuyer: form.text("remove_buyer"),
  }),
  async save(visit, campaign, typed, by) {
    const edited = await editCampaign(visit.context, sellerOf(visit), campaign, typed, by)
    if (edited.outcome !== "done") return edited
    const href = `${campaignsOf(visit)}/${campaign.slug}`
    return goTo(visit, href, done("Saved.", `${href}/share`, "Share it with the buyer"))
  },
  // Who is to see the figures is confirmed again.
  compared: (mine, theirs) => ({ mine: { ...mine, newBuyer: "", confirmed: "", removeBuyer: "" }, theirs }),
  conflict: (campaign, visit) => ({
    title: `Edit ${campaign.name}`,
    trail: trailTo(visit, campaign),
    what: "this campaign",
    changes: [["edit campaign", campaign.slug]],
    labels: labelled({ name: "Campaign" }),
  }),
}

const NEW = "/app/o/:org/new-campaign"

export const campaignFormRoutes = [
  forAdmin("GET", NEW, async (visit) => {
    const line = emptyLine(visit, await firstCurrency(visit.context.store, visit.organization))
    return newCampaignForm(visit, { name: "", buyer: "", line }, {})
  }),
  forAdmin("POST", NEW, createFromForm),
  ...editingRoutes(forAdmin, `${CAMPAIGN}/edit`, edit),
]
