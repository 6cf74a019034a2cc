import { hashToken } from "../../domain/keys/api-key.ts"
import type { Change } from "../../domain/people/audit.ts"
import { MemberRole, type Organization } from "../../domain/people/organization.ts"
import { normalEmail, PASSWORD_LINK_HOURS, personErrors } from "../../domain/people/user.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { audit } from "../../storage/steps/audit.ts"
import { invitationWorks } from "../../storage/steps/sign-in.ts"
import { all, and, eq, exec, first, isThere, type ReadTx, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, query, transact, verbOf } from "../context.ts"
import { newToken } from "../new-id.ts"
import { hashPassword } from "./hash-password.ts"
import { changingRights } from "./one-time-links.ts"
import type { LinkVisitor } from "./passwords.ts"
import { openSession } from "./sessions.ts"

const HOUR = 3_600_000_000
const isRole = checkFor(MemberRole)

export type TypedMember = Readonly<{ name: string; email: string; role: string }>

type Owner = Pick<Organization, "id">

/**
 * Creates a link with which the owner of an email address joins an organization. The result is the same whether or not the address
 * has an account, so that the inviter learns nothing. Refused when the person is already a member, and where a seller who is named
 * invites somebody of a buyer that others sell to as well.
 */
export async function inviteMember(
  context: Context,
  organization: Owner,
  typed: TypedMember,
  actor: string,
  seller?: Owner,
) {
  const role = isRole(typed.role)
  const errors = { ...personErrors(typed), ...(!role.ok && { role: "Choose a role." }) }
  if (!role.ok || Object.keys(errors).length > 0) return { ok: false as const, errors }
  const { token, stored } = newToken(context, PASSWORD_LINK_HOURS * HOUR)
  const invited = { name: typed.name, email: normalEmail(typed.email), role: role.value, ...stored }
  const by = { actor, at: stored.createdAt }
  const issued = await transact(context, function* (tx) {
    const isAllowed = seller === undefined || (yield* buysOnlyFrom(tx, organization.id, seller.id))
    return isAllowed ? yield* storeInvitation(tx, organization.id, invited, by) : null
  })
  if (issued) return { ok: true as const, path: `/app/invitation/${token}` }
  const email = issued === null ? ASK_OPERATOR : "This person is already a member of the organization."
  return { ok: false as const, errors: { email } }
}

const ASK_OPERATOR = "This buyer does not only buy from you. Ask the operator to invite its people."

/** Whether the people of a buyer see nothing but what this seller sells: then the seller may invite them. */
export const mayInvite = (context: Context, buyer: Owner, seller: Owner): Promise<boolean> =>
  query(context, (tx) => buysOnlyFrom(tx, buyer.id, seller.id))

function* buysOnlyFrom({ db, campaign, packageLine }: ReadTx, buyerId: number, sellerId: number): Step<boolean> {
  const lines = db.select({ id: packageLine.id }).from(packageLine)
  const sold = yield* first(lines.where(eq(packageLine.sellerId, buyerId)).limit(1))
  const sellersOf = db.selectDistinct({ seller: packageLine.sellerId }).from(campaign)
  const bought = sellersOf.innerJoin(packageLine, eq(packageLine.campaignId, campaign.id))
  const sellers = yield* all(bought.where(eq(campaign.buyerId, buyerId)).limit(2))
  return sold === undefined && sellers.length === 1 && sellers[0]?.seller === sellerId
}

type InvitationRow = ReadTx["invitation"]["$inferSelect"]

/** Replaces an earlier invitation from the same organization to the same address. False when the person is a member already. */
export function* storeInvitation(
  tx: Tx,
  organizationId: number,
  { email, ...values }: Omit<InvitationRow, "id" | "organizationId">,
  by: Change,
): Step<boolean> {
  const { db, invitation } = tx
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

/** other address: the invitation is for another email address. has account: the address has an account, which has to accept it. */
export type AcceptOutcome =
  | { readonly outcome: "joined"; readonly userId: number }
  | { readonly outcome: "not found" | "other address" | "has account" }

/** A signed-in user joins the organization that invited their address. */
export const acceptInvitation = (context: Context, token: string, userId: number): Promise<AcceptOutcome> =>
  transact(context, (tx) => accept(tx, hashToken(token), userId, context.clock()))

export function* accept(tx: Tx, tokenHash: string, userId: number, at: number): Step<AcceptOutcome> {
  const { db, user } = tx
  const invited = yield* openInvitation(tx, tokenHash, at)
  if (invited === undefined) return { outcome: "not found" }
  const person = yield* first(db.select({ email: user.email }).from(user).where(eq(user.id, userId)))
  return person?.email === invited.email ? yield* join(tx, invited, userId, at) : { outcome: "other address" }
}

type Typed = Readonly<{ name: string; password: string }>
type Account = Readonly<{ name: string; passwordHash: string }>

/** Somebody without an account creates one, joins, and is signed in. An existing account is never changed. */
export async function acceptAsNew(context: Context, token: string, { name, password }: Typed, visitor: LinkVisitor) {
  const passwordHash = await hashPassword(password, visitor.caller)
  if (passwordHash === null) return { outcome: "busy" as const }
  const account = { name, passwordHash }
  const accepted = await transact(context, (tx) => acceptWithNew(tx, hashToken(token), account, context.clock()))
  if (accepted.outcome !== "joined") return accepted
  return openSession(context, accepted.userId, visitor.sessionHash, visitor.caller)
}

export function* acceptWithNew(tx: Tx, tokenHash: string, account: Account, at: number): Step<AcceptOutcome> {
  const { db, user } = tx
  const invited = yield* openInvitation(tx, tokenHash, at)
  if (invited === undefined) return { outcome: "not found" }
  const { email } = invited
  const inserting = db.insert(user).values({ ...account, email, createdAt: at })
  const made = yield* first(inserting.onConflictDoNothing({ target: user.email }).returning({ id: user.id }))
  if (made === undefined) return { outcome: "has account" }
  const by = { actor: `user:${made.id}`, at }
  yield* audit(tx, by, { action: "create user", subject: email, details: { operator: false } })
  return yield* join(tx, invited, made.id, at)
}

function openInvitation(tx: ReadTx, tokenHash: string, at: number) {
  const invitations = tx.db.select().from(tx.invitation)
  return first(invitations.where(invitationWorks(tx, tokenHash, at)))
}

function* join(tx: Tx, invited: InvitationRow, userId: number, at: number): Step<AcceptOutcome> {
  const { db, membership, invitation } = tx
  const { id, organizationId, email, role } = invited
  const joining = db.insert(membership).values({ userId, organizationId, role }).onConflictDoNothing()
  yield* changingRights(tx, eq(tx.user.id, userId), exec(joining))
  yield* exec(db.delete(invitation).where(eq(invitation.id, id)))
  const what = { action: "accept invitation", subject: email, organizationId, details: { role } }
  yield* audit(tx, { actor: `user:${userId}`, at }, what)
  return { outcome: "joined", userId }
}
