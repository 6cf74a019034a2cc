import { saveCampaign, setUpCampaign } from "../../../actions/campaigns.ts"
import { type Company, campaignVersion } from "../../../domain/campaign/campaign.ts"
import { errorsIn } from "../../../domain/errors.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { Campaign } from "../../../storage/campaigns/campaigns.ts"
import { linesInUse, linesOf, linesSoldBy } from "../../../storage/campaigns/lines.ts"
import { campaignAddress, campaignsAddress, campaignTrail, findOwnCampaign, knownBuyers, sellerOf } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf, type Texts } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { BuyerField, NEW_BUYER } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, FormSection } from "../../parts/form.tsx"
import { ArchiveCard, LineInputs, lineTextsIn, priceNote } from "../../parts/line-inputs.tsx"
import { homeOf, type MemberVisit, orNotFound } from "../../visit.ts"

interface NewCampaign {
  readonly buyers: readonly Company[]
  /** The currency of the line that the seller priced last. It's a better guess than none. */
  readonly currency: string
}

/** Whether the campaign is a step of the set-up of a new server. */
const isFirst = ({ url }: MemberVisit) => url.searchParams.has("set-up")

/** A new campaign with its first line. */
export const newCampaignForm: FormOf<MemberVisit, NewCampaign> = {
  async find(visit) {
    const { read } = visit
    const lines = await linesSoldBy(read, visit.organization.id, { withArchived: true })
    const priced = lines.filter(({ currency }) => currency !== null).toSorted((a, b) => b.id - a.id)
    return { buyers: await knownBuyers(visit), currency: priced[0]?.currency ?? "" }
  },
  begin: ({ now, organization }, { currency }) => ({
    texts: {
      pricingBasis: "impressions",
      flightStart: dayOf(now, organization.timeZone),
      currency,
    },
  }),
  view(visit, { buyers }, form) {
    return page(visit, {
      title: "New campaign",
      trail: campaignTrail(visit),
      intro: isFirst(visit)
        ? "Step 2 of 3. Who bought, and what did you promise? One line is enough to start."
        : undefined,
      form,
      body: (
        <Form
          submit="Create campaign"
          cancel={isFirst(visit) ? `${homeOf(visit)}/set-up` : campaignsAddress(visit)}
          note="You can add more lines afterwards."
          isLong
          hasPreview
        >
          <FormSection title="Campaign">
            <BuyerField
              buyers={buyers}
              hint="If the name is new, Adbooth adds the buyer. It sends no invitation."
              confirm={NEW_BUYER}
            />
            <Field name="name" label="Name of the campaign" maxlength={200} required />
          </FormSection>
          <LineInputs name="lineName" timeZone={visit.organization.timeZone} />
        </Form>
      ),
    })
  },
  async save(visit, _, texts) {
    const { context, actor } = visit
    const typed = { texts: campaignTexts(texts), line: lineTextsIn(texts, "lineName") }
    const created = await setUpCampaign(context, actor, sellerOf(visit), {
      ...typed,
      confirmed: confirmationsIn(texts),
    })
    if ("slug" in created && isFirst(visit)) return goTo(visit, `${homeOf(visit)}/set-up`, "The campaign is created.")
    if ("slug" in created)
      return goTo(
        visit,
        campaignAddress(visit, created),
        "The campaign is created. You can share it with the buyer now.",
      )
    if (!("lineErrors" in created)) return created
    const { buyer, name } = created.errors
    const { name: lineName, ...others } = created.lineErrors
    // In the order of the form, because the first wrong field gets the focus.
    return { errors: { ...errorsIn({ buyer, name, lineName }), ...others } }
  },
  preview: async (_, __, texts) => ({ notes: { rate: priceNote(lineTextsIn(texts, "lineName")) } }),
}

const campaignTexts = ({ name = "", buyer = "" }: Texts) => ({ name, buyer })

interface EditedCampaign {
  readonly campaign: Campaign
  readonly buyers: readonly Company[]
  readonly isInUse: boolean
}

export const campaignForm: FormOf<MemberVisit, EditedCampaign> = {
  async find(visit) {
    const { read, organization } = visit
    const campaign = await findOwnCampaign(visit)
    const lines = await linesOf(read, organization.id, campaign.id)
    const used = await linesInUse(
      read,
      lines.map(({ id }) => id),
    )
    return { campaign, buyers: await knownBuyers(visit), isInUse: used.size > 0 }
  },
  begin: (_, { campaign }) => ({
    texts: { name: campaign.name, buyer: campaign.buyer },
    version: campaignVersion(campaign),
  }),
  view(visit, { campaign, buyers, isInUse }, form) {
    const address = campaignAddress(visit, campaign)
    return page(visit, {
      title: `Edit ${campaign.name}`,
      trail: campaignTrail(visit, campaign),
      form,
      body: (
        <>
          <section class="card narrow">
            <Form submit="Save" cancel={address}>
              <Field name="name" label="Name of the campaign" maxlength={200} required />
              <BuyerField
                buyers={buyers}
                hint={`Another buyer would see all totals of this campaign at once, and ${campaign.buyer} no longer would.`}
                confirm="That’s right, save it"
              />
            </Form>
          </section>
          <ArchiveCard noun="campaign" address={address} isArchived={campaign.isArchived} isInUse={isInUse} />
        </>
      ),
    })
  },
  async save(visit, { campaign }, texts, version) {
    const { context, actor } = visit
    const edit = { texts: campaignTexts(texts), version, confirmed: confirmationsIn(texts) }
    const saved = orNotFound(await saveCampaign(context, actor, sellerOf(visit), campaign.id, edit))
    if (saved === "changed" || "errors" in saved || "questions" in saved) return saved
    return goTo(visit, campaignAddress(visit, campaign), "Saved.")
  },
}
