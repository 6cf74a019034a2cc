import { hashToken } from "../../domain/keys/token.ts"
import { MemberRole, type Organization } from "../../domain/people/organization.ts"
import { normalEmail, PASSWORD_LINK_HOURS, personErrors } from "../../domain/people/user.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { type Context, writesOf } from "../context.ts"
import { newToken } from "../new-token.ts"

const HOUR = 3_600_000_000
const isRole = checkFor(MemberRole)

export interface TypedMember {
  readonly name: string
  readonly email: string
  readonly role: string
}

export type Invited =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly errors: Readonly<Partial<Record<keyof TypedMember, string>>> }

/**
 * Creates a link with which the owner of an email address joins an organization. The result is the same whether or not the address
 * has an account, so that the inviter learns nothing. Refused when the person is already a member.
 */
export async function inviteMember(
  context: Context,
  organization: Pick<Organization, "id">,
  typed: TypedMember,
  actor: string,
): Promise<Invited> {
  const role = isRole(typed.role)
  const errors = { ...personErrors(typed), ...(!role.ok && { role: "Choose a role." }) }
  if (!role.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  const token = newToken(context.random)
  const createdAt = context.clock()
  const invitation = {
    name: typed.name,
    email: normalEmail(typed.email),
    role: role.value,
    tokenHash: hashToken(token),
    createdAt,
    expiresAt: createdAt + PASSWORD_LINK_HOURS * HOUR,
  }
  const isIssued = await writesOf(context).invitations.issue(organization.id, invitation, { actor, at: createdAt })
  if (isIssued) return { ok: true, path: `/app/invitation/${token}` }
  return { ok: false, errors: { email: "This person is already a member of the organization." } }
}

/** Withdraws an invitation: its link stops working. False when the organization has no such invitation. */
export function withdrawInvitation(
  context: Context,
  organization: Pick<Organization, "id">,
  id: number,
  actor: string,
): Promise<boolean> {
  return writesOf(context).invitations.withdraw(organization.id, id, { actor, at: context.clock() })
}
