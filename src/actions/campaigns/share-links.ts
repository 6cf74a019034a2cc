import { KeyLabel } from "../../domain/keys/api-key.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { MICROS_PER_DAY } from "../../domain/time/moment.ts"
import type { ShownCampaign } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { shareLinkIs } from "../../storage/steps/campaigns.ts"
import { and, first, isNull, isThere, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact, verbOf } from "../context.ts"
import { newToken } from "../new-id.ts"

/** For whom, and for how many days: one of `SHARE_DAYS`. */
export type TypedShare = Readonly<{ label: string; days: string }>

export const SHARE_DAYS = [7, 30, 90, 365]

const isLabel = checkFor(KeyLabel)

/** How many days a link shall work, and what is wrong with it. */
export function readShare({ label, days }: TypedShare) {
  const lasts = SHARE_DAYS.find((choice) => String(choice) === days) ?? 0
  const errors = {
    ...(!isLabel(label).ok && { label: "Enter who it is for, in at most 100 characters." }),
    ...(lasts === 0 && { days: "Choose how long it works." }),
  }
  return { lasts, errors }
}

/** Creates a link that shows the seller's lines of a campaign to somebody without an account. Its path is only in the result. */
export async function shareCampaign(
  context: Context,
  seller: Pick<Organization, "id">,
  campaign: Pick<ShownCampaign, "id">,
  typed: TypedShare,
  actor: string,
) {
  const { lasts, errors } = readShare(typed)
  if (Object.keys(errors).length > 0) return { errors }
  const { token, stored } = newToken(context, lasts * MICROS_PER_DAY)
  const link = { ...stored, campaignId: campaign.id, organizationId: seller.id, label: typed.label }
  await transact(context, (tx) => storeShareLink(tx, link, { actor, at: stored.createdAt }))
  return { path: `/app/share/${token}` }
}

export function* storeShareLink(tx: Tx, link: Tx["shareLink"]["$inferInsert"], by: Change): Step<void> {
  const { db, shareLink } = tx
  const made = yield* first(db.insert(shareLink).values(link).returning({ id: shareLink.id }))
  const { organizationId, label, campaignId: campaign } = link
  const what = { action: "create share_link", subject: `${made?.id}`, organizationId }
  yield* audit(tx, by, { ...what, details: { label, campaign } })
}

/** Revokes a share link at once. False unless it was an active link of this organization and campaign. */
export const stopSharing = verbOf(function* (tx, organizationId: number, campaignId: number, id: number, by: Change) {
  const { db, shareLink } = tx
  const isActive = and(shareLinkIs(tx, organizationId, campaignId, id), isNull(shareLink.revokedAt))
  const revoking = db.update(shareLink).set({ revokedAt: by.at }).where(isActive)
  if (!(yield* isThere(revoking.returning({ id: shareLink.id })))) return false
  yield* audit(tx, by, { action: "revoke share_link", subject: `${id}`, organizationId })
  return true
})
