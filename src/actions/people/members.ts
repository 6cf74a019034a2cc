import { type Errors, errorsIn, hasErrors } from "../../domain/errors.ts"
import { emailProblem, isRole, nameProblem, normalEmail, type Role, storedName } from "../../domain/people/person.ts"
import { createToken, daysAfter, hashToken, LINK_DAYS } from "../../domain/people/session.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { Tx } from "../../storage/database.ts"
import { setPassword } from "../../storage/people/sign-in.ts"
import {
  addInvitation,
  addSeat,
  addUser,
  deleteInvitation,
  deleteSeat,
  hasOtherAdmin,
  invitationByToken,
  membersOf,
  type NewSeat,
  setRole,
  type User,
  userByEmail,
} from "../../storage/people/users.ts"
import { type Actor, type Context, change } from "../context.ts"
import { addPasswordLink } from "./links.ts"
import { hashPassword } from "./passwords.ts"

interface Place {
  readonly organizationId: number
  readonly userId: number
}

/** "last admin": an organization that has an admin keeps one. */
type MemberChange = "done" | "not found" | "last admin"

/** Makes a member an admin, or an admin a member. */
export const changeRole = (context: Context, actor: Actor, place: Place, role: Role): Promise<MemberChange> =>
  changeMember(context, actor, place, role)

/** Removes a member from the organization. The account stays. */
export const removeMember = (context: Context, actor: Actor, place: Place): Promise<MemberChange> =>
  changeMember(context, actor, place, null)

const changeMember = (context: Context, actor: Actor, place: Place, role: Role | null): Promise<MemberChange> =>
  change(context, actor, async (tx, audit) => {
    const { organizationId, userId } = place
    const member = (await membersOf(tx, organizationId)).find(({ id }) => id === userId)
    if (member === undefined) return "not found"
    const stopsBeingAdmin = member.role === "admin" && role !== "admin"
    if (stopsBeingAdmin && !(await hasOtherAdmin(tx, organizationId, userId))) return "last admin"
    if (role === null) await deleteSeat(tx, userId, organizationId)
    else await setRole(tx, { ...place, role })
    const made = `made ${member.email} ${role === "admin" ? "an admin" : "a member"}`
    await audit(organizationId, role === null ? `removed ${member.email}` : made)
    return "done"
  })

/** A person to invite, as typed. */
interface TypedPerson {
  readonly name: string
  readonly email: string
  readonly role: string
}

interface ReadPerson {
  readonly name: string
  readonly email: string
  readonly role: Role
}

function readPerson({ name, email, role }: TypedPerson): ReadPerson | { readonly errors: Errors } {
  const hasRole = isRole(role)
  const errors = errorsIn({
    name: nameProblem(name),
    email: emailProblem(email),
    role: hasRole ? undefined : "Choose a role.",
  })
  if (hasErrors(errors) || !hasRole) return { errors }
  return { name: storedName(name), email: normalEmail(email), role }
}

/** Who invites. Only the operator adds existing accounts. */
interface Inviter {
  readonly actor: Actor
  readonly isOperator: boolean
}

/**
 * Creates a link that lets the owner of an address join the organization, and returns its path. If an admin invites an
 * address that has an account, the link looks the same, so that the admin learns nothing, and accepting changes
 * nothing. The operator adds the account at once, and its person sets a new password with the link.
 */
export async function invite(
  context: Context,
  { actor, isOperator }: Inviter,
  organizationId: number,
  typed: TypedPerson,
): Promise<{ readonly path: string } | { readonly errors: Errors }> {
  const person = readPerson(typed)
  if ("errors" in person) return person
  const token = createToken()
  return change(context, actor, async (tx, audit, now) => {
    const members = await membersOf(tx, organizationId)
    if (members.some(({ email }) => email === person.email))
      return { errors: { email: "This person is already here." } }
    const createdAt = now
    const account = isOperator ? await userByEmail(tx, person.email) : null
    if (account !== null) {
      await audit(organizationId, `added ${person.email} as ${person.role}`)
      return { path: await addAccount(tx, account, { organizationId, role: person.role }, createdAt) }
    }
    const link = { tokenHash: hashToken(token), createdAt, expiresAt: daysAfter(createdAt, LINK_DAYS) }
    await addInvitation(tx, { ...person, ...link, organizationId })
    await audit(organizationId, `invited ${person.email} as ${person.role}`)
    return { path: `/app/invitation/${token}` }
  })
}

/**
 * A stranger may have registered the account, so it loses its password and sessions. An operator's account gains
 * nothing, so it stays as it is.
 */
async function addAccount(
  tx: Tx,
  { id, isOperator }: User,
  seat: Omit<NewSeat, "userId">,
  now: Moment,
): Promise<string> {
  await addSeat(tx, { userId: id, ...seat })
  if (!isOperator) await setPassword(tx, id, null)
  return addPasswordLink(tx, id, now)
}

/** Withdraws an invitation. False if the organization has no such invitation. */
export async function withdrawInvitation(
  context: Context,
  actor: Actor,
  organizationId: number,
  invitationId: number,
): Promise<boolean> {
  return change(context, actor, async (tx, audit) => {
    const email = await deleteInvitation(tx, organizationId, invitationId)
    if (email === null) return false
    await audit(organizationId, `withdrew the invitation of ${email}`)
    return true
  })
}

/**
 * Accepts an invitation: creates the account with its seat. An address that has an account stays as it is, and the answer is the
 * same, so that the inviter learns nothing. Only the operator adds existing accounts.
 */
export async function acceptInvitation(
  { database, clock }: Context,
  linkToken: string,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<"accepted" | "gone" | "busy"> {
  const passwordHash = await hashPassword(password)
  if (passwordHash === "busy") return "busy"
  return database.transact(async (tx) => {
    const now = clock()
    const invitation = await invitationByToken(tx, hashToken(linkToken), now)
    if (invitation === null) return "gone"
    const { id, organizationId, email, role } = invitation
    await deleteInvitation(tx, organizationId, id)
    if ((await userByEmail(tx, email)) !== null) return "accepted"
    const user = { email, name: storedName(name), isOperator: false, passwordHash, createdAt: now }
    const userId = await addUser(tx, user)
    await addSeat(tx, { userId, organizationId, role })
    const text = `accepted the invitation as ${role}`
    await addAuditEntry(tx, { at: now, actor: `user:${userId}`, organizationId, text })
    return "accepted"
  })
}
