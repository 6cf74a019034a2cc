import { archiveCampaign, removeCampaign } from "../../../actions/campaigns.ts"
import { BODY_BYTES_MAX } from "../../../http/body.ts"
import type { Campaign } from "../../../storage/campaigns/campaigns.ts"
import { campaignAddress, campaignsAddress, findOwnCampaign } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { readForm } from "../../forms/read-form.ts"
import { type MemberVisit, NotFound } from "../../visit.ts"

/** A button of its own, without a question, because it can be undone. */
export async function archiveCampaignPost(visit: MemberVisit): Promise<Response> {
  const { context, actor, organization, request } = visit
  const campaign = await findOwnCampaign(visit)
  const { texts } = await readForm(request, BODY_BYTES_MAX)
  const isArchived = texts["archived"] === "yes"
  const place = { sellerId: organization.id, campaignId: campaign.id }
  if (!(await archiveCampaign(context, actor, place, isArchived))) throw new NotFound()
  const text = isArchived ? `${campaign.name} is archived.` : `${campaign.name} is back in its lists.`
  return goTo(visit, isArchived ? campaignsAddress(visit) : campaignAddress(visit, campaign), text)
}

export const deleteCampaignForm = askFirst<MemberVisit, Campaign>({
  find: findOwnCampaign,
  ask: (visit, campaign) => ({
    title: `Delete ${campaign.name}?`,
    text: "Nothing was reported for it. Its lines and share links are deleted as well. This can’t be undone.",
    submit: "Delete campaign",
    cancel: `${campaignAddress(visit, campaign)}/edit`,
  }),
  async act(visit, campaign) {
    const { context, actor, organization } = visit
    const removed = await removeCampaign(context, actor, { sellerId: organization.id, campaignId: campaign.id })
    if (removed === "not found") throw new NotFound()
    if (removed === "removed") return goTo(visit, campaignsAddress(visit), `${campaign.name} is deleted.`)
    const text = "Nothing was deleted, because totals were reported in the meantime. Archive the campaign instead."
    return goTo(visit, `${campaignAddress(visit, campaign)}/edit`, text)
  },
})
