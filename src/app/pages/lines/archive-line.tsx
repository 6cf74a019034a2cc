import { archiveLine, removeLine } from "../../../actions/lines.ts"
import { BODY_BYTES_MAX } from "../../../http/body.ts"
import type { StoredLine } from "../../../storage/lines.ts"
import { askFirst } from "../../ask.tsx"
import { type CampaignLine, campaignAddress, findOwnLine, lineAddress } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { ButtonLink, Card } from "../../parts/blocks.tsx"
import { PostButton } from "../../parts/form.tsx"
import { readForm } from "../../read-form.ts"
import { type MemberVisit, NotFound } from "../../visit.ts"

interface LineArchiveProps {
  readonly address: string
  readonly line: StoredLine
  readonly isInUse: boolean
}

/** Takes a line out of the lists, or deletes one that was never used. */
export const LineArchive = ({ address, line, isInUse }: LineArchiveProps) => (
  <Card title={line.isArchived ? "This line is archived" : "Archive or delete"}>
    <p class="hint">
      {line.isArchived
        ? "It isn’t in lists and sums. Totals are accepted as before."
        : "An archived line is left out of lists and sums. It keeps its totals, and you can put it back."}
    </p>
    <div class="actions">
      <PostButton
        action={`${address}/archive`}
        label={line.isArchived ? "Put it back" : "Archive line"}
        fields={{ archived: line.isArchived ? "no" : "yes" }}
      />
      {!isInUse && <ButtonLink kind="quiet danger" href={`${address}/delete`} label="Delete line" isAsked />}
    </div>
  </Card>
)

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
  "in use": "Nothing was deleted: totals were reported in the meantime. Archive the line instead.",
  "last line": "Nothing was deleted: it’s the only line of its campaign. Delete the campaign instead.",
} as const
