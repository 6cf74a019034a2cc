import { archiveLine, removeLine } from "../../../actions/lines.ts"
import { BODY_BYTES_MAX } from "../../../http/body.ts"
import { type CampaignLine, campaignAddress, findOwnLine, lineAddress } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { readForm } from "../../forms/read-form.ts"
import { type MemberVisit, NotFound } from "../../visit.ts"

/** A button of its own, without a question, because it can be undone. */
export async function archiveLinePost(visit: MemberVisit): Promise<Response> {
  const { context, actor, organization, request } = visit
  const { campaign, line } = await findOwnLine(visit)
  const { texts } = await readForm(request, BODY_BYTES_MAX)
  const isArchived = texts["archived"] === "yes"
  await archiveLine(context, actor, { sellerId: organization.id, packageId: line.packageId }, isArchived)
  const text = isArchived ? `${line.name} is archived.` : `${line.name} is back in its lists.`
  return goTo(visit, isArchived ? campaignAddress(visit, campaign) : lineAddress(visit, campaign, line), text)
}

export const deleteLineForm = askFirst<MemberVisit, CampaignLine>({
  find: findOwnLine,
  ask: (visit, { campaign, line }) => ({
    title: `Delete ${line.name}?`,
    text: "Nothing was reported for it, so nothing else is lost. Programs that still send its line ID are refused.",
    submit: "Delete line",
    cancel: `${lineAddress(visit, campaign, line)}/edit`,
  }),
  async act(visit, { campaign, line }) {
    const { context, actor, organization } = visit
    const removed = await removeLine(context, actor, { sellerId: organization.id, packageId: line.packageId })
    if (removed === "not found") throw new NotFound()
    if (removed === "removed") return goTo(visit, campaignAddress(visit, campaign), `${line.name} is deleted.`)
    return goTo(visit, `${lineAddress(visit, campaign, line)}/edit`, REFUSALS[removed])
  },
})

const REFUSALS = {
  "in use": "Nothing was deleted, because totals were reported in the meantime. Archive the line instead.",
  "last line": "Nothing was deleted, because it’s the only line of its campaign. Delete the campaign instead.",
} as const
