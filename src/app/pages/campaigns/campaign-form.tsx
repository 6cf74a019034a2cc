import { saveCampaign, setUpCampaign } from "../../../actions/campaigns.ts"
import { campaignVersion } from "../../../domain/campaign/campaign.ts"
import { errorsIn } from "../../../domain/errors.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { linesInUse, linesOf, linesSoldBy } from "../../../storage/campaigns/lines.ts"
import { campaignAddress, campaignsAddress, campaignTrail, findOwnCampaign, knownBuyers, sellerOf } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, formOf, type Texts } from "../../forms/form.ts"
import { BuyerField, NEW_BUYER } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, FormSection } from "../../parts/form.tsx"
import { ArchiveCard, LineInputs, lineTextsIn, priceNote } from "../../parts/line-inputs.tsx"
import { homeOf, type MemberVisit, orNotFound } from "../../visit.ts"

/** Whether the campaign is a step of the set-up of a new server. */
const isFirst = ({ url }: MemberVisit) => url.searchParams.has("set-up")

/** A new campaign with its first line. */
export const newCampaignForm = formOf({
  async find(visit: MemberVisit) {
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
  view(visit, { buyers }) {
    return {
      title: "New campaign",
      trail: campaignTrail(visit),
      intro: isFirst(visit)
        ? "Step 2 of 3. Who bought, and what did you promise? One line is enough to start."
        : undefined,
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
    }
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
})

const campaignTexts = ({ name = "", buyer = "" }: Texts) => ({ name, buyer })

export const campaignForm = formOf({
  async find(visit: MemberVisit) {
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
  view(visit, { campaign, buyers, isInUse }) {
    const address = campaignAddress(visit, campaign)
    return {
      title: `Edit ${campaign.name}`,
      trail: campaignTrail(visit, campaign),
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
    }
  },
  async save(visit, { campaign }, texts, version) {
    const { context, actor } = visit
    const edit = { texts: campaignTexts(texts), version, confirmed: confirmationsIn(texts) }
    const saved = orNotFound(await saveCampaign(context, actor, sellerOf(visit), campaign.id, edit))
    if (saved === "changed" || "errors" in saved || "questions" in saved) return saved
    return goTo(visit, campaignAddress(visit, campaign), "Saved.")
  },
})
