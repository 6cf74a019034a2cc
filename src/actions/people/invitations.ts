import { type Errors, errorsIn } from "../../domain/errors.ts"
import { daysAfter, LINK_DAYS } from "../../domain/people/links.ts"
import { emailProblem, nameProblem, normalEmail, storedName } from "../../domain/people/person.ts"
import { isRole, type Role } from "../../domain/people/role.ts"
import { createToken, hashToken } from "../../domain/people/token.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { addInvitation, deleteInvitation, invitationByToken } from "../../storage/invitations.ts"
import { addSeat, addUser, membersOf, userByEmail } from "../../storage/users.ts"
import type { Actor, Context } from "../context.ts"
import { hashPassword } from "./hash-password.ts"

/** Somebody to invite, as typed. */
export interface TypedPerson {
  readonly name: string
  readonly email: string
  readonly role: string
}

interface ReadPerson {
  readonly name: string
  readonly email: string
  readonly role: Role
}

export function readPerson({ name, email, role }: TypedPerson): ReadPerson | { readonly errors: Errors } {
  const hasRole = isRole(role)
  const errors = errorsIn({
    name: nameProblem(name),
    email: emailProblem(email),
    role: hasRole ? undefined : "Choose a role.",
  })
  if (Object.keys(errors).length > 0 || !hasRole) return { errors }
  return { name: storedName(name), email: normalEmail(email), role }
}

/**
 * Creates a link with which the owner of an address joins the organization, and returns its path. Whether the address has an account
 * doesn't matter here, so that nobody learns it. If it has one, accepting changes nothing.
 */
export async function invite(
  { database, clock }: Context,
  actor: Actor,
  organizationId: number,
  typed: TypedPerson,
): Promise<{ readonly path: string } | { readonly errors: Errors }> {
  const person = readPerson(typed)
  if ("errors" in person) return person
  const token = createToken()
  return database.transact(async (tx) => {
    const members = await membersOf(tx, organizationId)
    if (members.some(({ email }) => email === person.email))
      return { errors: { email: "This person is already here." } }
    const createdAt = clock()
    const link = { tokenHash: hashToken(token), createdAt, expiresAt: daysAfter(createdAt, LINK_DAYS) }
    await addInvitation(tx, { ...person, ...link, organizationId })
    const text = `invited ${person.email} as ${person.role}`
    await addAuditEntry(tx, { at: createdAt, actor, organizationId, text })
    return { path: `/app/invitation/${token}` }
  })
}

/** Withdraws an invitation. False if the organization has no such invitation. */
export async function withdrawInvitation(
  { database, clock }: Context,
  actor: Actor,
  organizationId: number,
  invitationId: number,
): Promise<boolean> {
  return database.transact(async (tx) => {
    const email = await deleteInvitation(tx, organizationId, invitationId)
    if (email === null) return false
    const text = `withdrew the invitation of ${email}`
    await addAuditEntry(tx, { at: clock(), actor, organizationId, text })
    return true
  })
}

/**
 * Accepts an invitation: creates the account with its seat. An address that has an account stays as it is, and the answer is the
 * same, so that whoever invited it learns nothing. Only the operator adds existing accounts.
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
