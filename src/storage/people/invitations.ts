import { and, asc, eq, gt } from "drizzle-orm"
import type { Role } from "../../domain/people/person.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"

/** A person who may join an organization, as the inviter typed it. */
export interface Invitation {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly expiresAt: Moment
}

/** The open and expired invitations of an organization, by name. */
export async function invitationsOf(read: ReadTx, organizationId: number): Promise<readonly Invitation[]> {
  const { db, invitation } = read
  const { id, email, name, role, expiresAt } = invitation
  return db
    .select({ id, email, name, role, expiresAt })
    .from(invitation)
    .where(eq(invitation.organizationId, organizationId))
    .orderBy(asc(name), asc(id))
}

interface NewInvitation extends Omit<Invitation, "id"> {
  readonly organizationId: number
  readonly tokenHash: string
  readonly createdAt: Moment
}

/** Adds an invitation. It replaces an earlier one of the same organization to the same address. */
export async function addInvitation({ db, invitation }: Tx, added: NewInvitation): Promise<void> {
  const { organizationId, email, ...set } = added
  const target = [invitation.organizationId, invitation.email]
  await db.insert(invitation).values(added).onConflictDoUpdate({ target, set })
}

/** An invitation with the organization that it's for. */
export interface OpenInvitation extends Invitation {
  readonly organizationId: number
  readonly organization: string
}

/** The invitation of a link. Null if it has expired, was used or was withdrawn. */
export async function invitationByToken(read: ReadTx, tokenHash: string, now: Moment): Promise<OpenInvitation | null> {
  const { db, invitation, organization } = read
  const { id, email, name, role, expiresAt, organizationId } = invitation
  const [found] = await db
    .select({ id, email, name, role, expiresAt, organizationId, organization: organization.name })
    .from(invitation)
    .innerJoin(organization, eq(organization.id, organizationId))
    .where(and(eq(invitation.tokenHash, tokenHash), gt(expiresAt, now)))
  return found ?? null
}

/** Deletes an invitation of the organization, and returns its address. Null if it has no such invitation. */
export async function deleteInvitation(
  { db, invitation }: Tx,
  organizationId: number,
  invitationId: number,
): Promise<string | null> {
  const isOwn = and(eq(invitation.id, invitationId), eq(invitation.organizationId, organizationId))
  const [deleted] = await db.delete(invitation).where(isOwn).returning({ email: invitation.email })
  return deleted?.email ?? null
}
