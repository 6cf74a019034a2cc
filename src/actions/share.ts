import { maskKeys } from "../domain/api-key.ts"
import { type Errors, errorsIn, hasErrors } from "../domain/errors.ts"
import { createToken, hashToken } from "../domain/people/session.ts"
import { isTidy } from "../domain/text.ts"
import { MICROS_PER_DAY } from "../domain/time/moment.ts"
import { markShareLinkRevoked } from "../storage/campaigns/campaigns.ts"
import { type Actor, type Context, change } from "./context.ts"

/** The numbers of days that a link may work. */
export const SHARE_DAYS = [7, 30, 90, 365] as const

/** The seller, and the campaign whose lines it shows. */
interface SharedCampaign {
  readonly organizationId: number
  readonly campaignId: number
}

/** What was typed: who the link is for, and how many days it works. */
interface ShareTexts {
  readonly label: string
  readonly days: string
}

const LABEL_CHARACTERS_MAX = 100

/** Creates a link that shows the seller's lines of a campaign to everyone who has it. The token is returned here and never again. */
export async function shareCampaign(
  context: Context,
  actor: Actor,
  { organizationId, campaignId }: SharedCampaign,
  texts: ShareTexts,
): Promise<{ readonly token: string } | { readonly errors: Errors }> {
  const days = SHARE_DAYS.find((choice) => String(choice) === texts.days)
  const errors = errorsIn({
    label: isTidy(texts.label, LABEL_CHARACTERS_MAX)
      ? undefined
      : `Enter who the link is for, in at most ${LABEL_CHARACTERS_MAX} characters.`,
    days: days === undefined ? "Choose how long the link works." : undefined,
  })
  if (days === undefined || hasErrors(errors)) return { errors }
  const token = createToken()
  const label = maskKeys(texts.label)
  await change(context, actor, async (tx, audit, at) => {
    const expiresAt = at + days * MICROS_PER_DAY
    const link = { tokenHash: hashToken(token), campaignId, organizationId, label, createdAt: at, expiresAt }
    await tx.db.insert(tx.shareLink).values(link)
    await audit(organizationId, `created the share link for “${label}”`)
  })
  return { token }
}

/** Revokes a link from the next request on. False if the campaign has no such link that still works. */
export async function revokeShareLink(
  context: Context,
  actor: Actor,
  { organizationId, campaignId }: SharedCampaign,
  id: number,
): Promise<boolean> {
  return change(context, actor, async (tx, audit, at) => {
    const label = await markShareLinkRevoked(tx, { id, organizationId, campaignId }, at)
    if (label === null) return false
    await audit(organizationId, `revoked the share link for “${label}”`)
    return true
  })
}
