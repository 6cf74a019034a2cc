import { hashToken } from "../../domain/keys/api-key.ts"
import type { Change } from "../../domain/people/audit.ts"
import { MemberRole, type Organization } from "../../domain/people/organization.ts"
import { normalEmail, PASSWORD_LINK_HOURS, personErrors } from "../../domain/people/user.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { audit } from "../../storage/steps/audit.ts"
import { type Credentials, credentialsByEmail, invitationWorks } from "../../storage/steps/sign-in.ts"
import { and, eq, exec, first, flag, isThere, type ReadTx, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact, verbOf } from "../context.ts"
import { newToken } from "../new-id.ts"
import { hashPassword } from "./hash-password.ts"
import { changingRights } from "./one-time-links.ts"
import { type LinkVisitor, setPassword } from "./passwords.ts"
import { openSession } from "./sessions.ts"

const HOUR = 3_600_000_000
const isRole = checkFor(MemberRole)

export type TypedMember = Readonly<{ name: string; email: string; role: string }>

/** Who invites: only the operator adds an address that has an account. */
type Inviter = Readonly<{ actor: string; isOperator: boolean }>

/**
 * Creates a link with which the owner of an email address joins an organization. The result is the same whether or not the address
 * has an account, so that the inviter learns nothing. Refused when the person is already a member.
 */
export async function inviteMember(
  context: Context,
  organization: Pick<Organization, "id">,
  typed: TypedMember,
  { actor, isOperator }: Inviter,
) {
  const role = isRole(typed.role)
  const errors = { ...personErrors(typed), ...(!role.ok && { role: "Choose a role." }) }
  if (!role.ok || Object.keys(errors).length > 0) return { ok: false as const, errors }
  const { token, stored } = newToken(context, PASSWORD_LINK_HOURS * HOUR)
  const person = { name: typed.name, email: normalEmail(typed.email), role: role.value }
  const invited = { ...person, ...stored, byOperator: flag(isOperator) }
  const by = { actor, at: stored.createdAt }
  const issued = await transact(context, (tx) => storeInvitation(tx, organization.id, invited, by))
  if (issued) return { ok: true as const, path: `/app/invitation/${token}` }
  return { ok: false as const, errors: { email: "This person is already a member of the organization." } }
}

type InvitationRow = ReadTx["invitation"]["$inferSelect"]

/** Replaces an earlier invitation from the same organization to the same address. False when the person is a member already. */
export function* storeInvitation(
  tx: Tx,
  organizationId: number,
  { email, ...rest }: Omit<Tx["invitation"]["$inferInsert"], "id" | "organizationId">,
  by: Change,
): Step<boolean> {
  const { db, invitation } = tx
  const values = { byOperator: 0, ...rest }
  if (yield* isMember(tx, organizationId, email)) return false
  const target = [invitation.organizationId, invitation.email]
  const inserting = db.insert(invitation).values({ organizationId, email, ...values })
  yield* exec(inserting.onConflictDoUpdate({ target, set: values }))
  const details = { role: values.role }
  yield* audit(tx, by, { action: "invite member", subject: email, organizationId, details })
  return true
}

function isMember({ db, membership, user }: ReadTx, organizationId: number, email: string): Step<boolean> {
  const isTheOne = and(eq(membership.organizationId, organizationId), eq(user.email, email))
  const members = db.select({ id: user.id }).from(membership).innerJoin(user, eq(user.id, membership.userId))
  return isThere(members.where(isTheOne))
}

/** Withdraws an invitation: its link stops working. False when the organization has no such invitation. */
export const withdrawInvitation = verbOf(function* (tx, organizationId: number, id: number, by: Change) {
  const { db, invitation } = tx
  const isOurs = and(eq(invitation.organizationId, organizationId), eq(invitation.id, id))
  const deleted = yield* first(db.delete(invitation).where(isOurs).returning({ email: invitation.email }))
  if (deleted === undefined) return false
  yield* audit(tx, by, { action: "withdraw invitation", subject: deleted.email, organizationId })
  return true
})

/** has account: the address has an account, which only the operator adds. */
export type AcceptOutcome =
  | { readonly outcome: "joined"; readonly userId: number; readonly hasTotp: boolean }
  | { readonly outcome: "not found" | "has account" }

type Typed = Readonly<{ name: string; password: string }>
type Account = Readonly<{ name: string; passwordHash: string }>

/**
 * The person who was invited chooses a password, joins, and is signed in. An account that is there already is added only by the operator's
 * invitation, and gets the new password: whoever registered it under that address can no longer use it.
 */
export async function acceptInvitation(context: Context, token: string, typed: Typed, visitor: LinkVisitor) {
  const passwordHash = await hashPassword(typed.password, visitor.caller)
  if (passwordHash === null) return { outcome: "busy" as const }
  const account = { name: typed.name, passwordHash }
  const accepted = await transact(context, (tx) => accept(tx, hashToken(token), account, context.clock()))
  if (accepted.outcome !== "joined") return accepted
  // With two-factor codes on, a sign-in is still needed.
  if (accepted.hasTotp) return { outcome: "sign_in" as const }
  return openSession(context, accepted.userId, visitor.sessionHash, visitor.caller)
}

export function* accept(tx: Tx, tokenHash: string, account: Account, at: number): Step<AcceptOutcome> {
  const { db, user } = tx
  const invited = yield* openInvitation(tx, tokenHash, at)
  if (invited === undefined) return { outcome: "not found" }
  const { email } = invited
  const inserting = db.insert(user).values({ ...account, email, createdAt: at })
  const made = yield* first(inserting.onConflictDoNothing({ target: user.email }).returning({ id: user.id }))
  if (made !== undefined) {
    const by = { actor: `user:${made.id}`, at }
    yield* audit(tx, by, { action: "create user", subject: email, details: { operator: false } })
    return yield* join(tx, invited, { userId: made.id, totpSecret: null }, at)
  }
  const known = yield* credentialsByEmail(tx, email)
  if (invited.byOperator === 0 || known === null) return { outcome: "has account" }
  const by = { actor: `user:${known.userId}`, at, keepTokenHash: null }
  yield* setPassword(tx, known.userId, account.passwordHash, by)
  return yield* join(tx, invited, known, at)
}

function openInvitation(tx: ReadTx, tokenHash: string, at: number) {
  const invitations = tx.db.select().from(tx.invitation)
  return first(invitations.where(invitationWorks(tx, tokenHash, at)))
}

type Joining = Pick<Credentials, "userId" | "totpSecret">

function* join(tx: Tx, invited: InvitationRow, { userId, totpSecret }: Joining, at: number): Step<AcceptOutcome> {
  const { db, membership, invitation } = tx
  const { id, organizationId, email, role } = invited
  const joining = db.insert(membership).values({ userId, organizationId, role }).onConflictDoNothing()
  yield* changingRights(tx, eq(tx.user.id, userId), exec(joining))
  yield* exec(db.delete(invitation).where(eq(invitation.id, id)))
  const what = { action: "accept invitation", subject: email, organizationId, details: { role } }
  yield* audit(tx, { actor: `user:${userId}`, at }, what)
  return { outcome: "joined", userId, hasTotp: totpSecret !== null }
}
