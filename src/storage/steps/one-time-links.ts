import type { MemberRole } from "../../domain/people/organization.ts"
import type { LinkPurpose } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { all, and, asc, eq, found, gt, isNull, type ReadTx, type ResultOf } from "./step.ts"

/** Whether a one-time link can be used now: it is unclaimed and has not expired. */
export function linkWorks({ oneTimeLink: link }: ReadTx, tokenHash: string, purpose: LinkPurpose, now: Moment) {
  const isOpen = and(isNull(link.claimedAt), gt(link.expiresAt, now))
  return and(eq(link.tokenHash, tokenHash), eq(link.purpose, purpose), isOpen)
}

export const linkClaimReads = {
  /** Null when the link was claimed, has expired or never existed. It has no user where it creates the first operator. */
  find(tx: ReadTx, tokenHash: string, purpose: LinkPurpose, now: Moment) {
    const { id, email, name } = tx.user
    const links = tx.db.select({ user: { id, email, name } }).from(tx.oneTimeLink)
    const ofUsers = links.leftJoin(tx.user, eq(id, tx.oneTimeLink.userId))
    return found(ofUsers.where(linkWorks(tx, tokenHash, purpose, now)))
  },
}

export type NewMember = Readonly<{ email: string; name: string; role: MemberRole }>

export const invitationReads = {
  /** By email address. */
  list({ db, invitation }: ReadTx, organizationId: number) {
    const { id, email, name, role, createdAt, expiresAt } = invitation
    const isOurs = eq(invitation.organizationId, organizationId)
    const columns = { id, email, name, role, createdAt, expiresAt }
    return all(db.select(columns).from(invitation).where(isOurs).orderBy(asc(email)))
  },
  /** As the invited person sees it. Null when it was accepted or withdrawn, has expired or never existed. */
  find(tx: ReadTx, tokenHash: string, now: Moment) {
    const { db, invitation, organization } = tx
    const { email, name, role } = invitation
    const { id, slug } = organization
    const rows = db.select({ email, name, role, organization: { id, slug, name: organization.name } }).from(invitation)
    const ofOrganizations = rows.innerJoin(organization, eq(id, invitation.organizationId))
    return found(ofOrganizations.where(invitationWorks(tx, tokenHash, now)))
  },
}

export type Invitation = ResultOf<typeof invitationReads.list>[number]
export type OpenInvitation = ResultOf<typeof invitationReads.find>

/** Whether it was neither accepted nor withdrawn, and has not expired. */
export const invitationWorks = ({ invitation }: ReadTx, tokenHash: string, now: Moment) =>
  and(eq(invitation.tokenHash, tokenHash), gt(invitation.expiresAt, now))
