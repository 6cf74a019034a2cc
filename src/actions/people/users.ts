import { eq } from "drizzle-orm"
import { nameProblem, normalEmail, type Role, storedName } from "../../domain/people/person.ts"
import type { ReadTx, Tx } from "../../storage/database.ts"
import { setPassword } from "../../storage/people/sign-in.ts"
import {
  addSeat,
  addUser,
  deleteSeat,
  hasOperator,
  hasOtherAdmin,
  type Seat,
  seatsOf,
  setOperator,
  setRole,
  setUserName,
  userByEmail,
  userById,
} from "../../storage/people/users.ts"
import { type Actor, type Context, change } from "../context.ts"
import { addPasswordLink } from "./links.ts"

interface WantedSeat {
  readonly organizationId: number
  readonly role: Role
}

interface NewPerson {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly seat: WantedSeat | null
  /** Null for a person who sets the password with a link. */
  readonly passwordHash: string | null
}

/** Creates an account, and the path of a link to set its password if it has none. Null if the address has an account. */
export async function createUser(
  context: Context,
  actor: Actor,
  person: NewPerson,
): Promise<{ readonly userId: number; readonly path: string | null } | null> {
  return change(context, actor, async (tx, audit, at) => {
    const email = normalEmail(person.email)
    if ((await userByEmail(tx, email)) !== null) return null
    const { isOperator, passwordHash, seat } = person
    const userId = await addUser(tx, { email, name: storedName(person.name), isOperator, passwordHash, createdAt: at })
    if (seat !== null) await addSeat(tx, { userId, ...seat })
    await audit(seat?.organizationId ?? null, `created the account of ${email}${isOperator ? ", an operator" : ""}`)
    return { userId, path: passwordHash === null ? await addPasswordLink(tx, userId, at) : null }
  })
}

/** Changes a person's own name. Returns what is wrong with it, or undefined. */
export async function changeOwnName(context: Context, userId: number, name: string): Promise<string | undefined> {
  const problem = nameProblem(name)
  if (problem !== undefined) return problem
  await change(context, `user:${userId}`, async (tx, audit) => {
    await setUserName(tx, userId, storedName(name))
    await audit(null, "changed their name")
  })
  return undefined
}

/** What the operator decides about an account. */
interface Rights {
  readonly isOperator: boolean
  readonly seats: readonly WantedSeat[]
}

export type UserChange =
  | "not found"
  | "changed"
  | "last operator"
  | { readonly lastAdminOf: string }
  /** The path of a link to set a new password, for a new operator. */
  | { readonly path: string | null }

/** A digest of a person's rights. If it differs from the stored one, another person has changed them. */
export const rightsVersion = (isOperator: boolean, seats: readonly Seat[]): string =>
  Bun.hash(JSON.stringify([isOperator, seats.map(({ organization, role }) => [organization.id, role])])).toString(36)

/**
 * Changes a person's roles where they are a member, or removes them there, and decides whether they are an operator. A
 * new operator loses the password and the sessions, and sets a new password with a link. That way, an account that a
 * stranger registered under their address is useless to the stranger.
 */
export async function changeRights(
  context: Context,
  actor: Actor,
  userId: number,
  wanted: Rights,
  version: string,
): Promise<UserChange> {
  return change(context, actor, async (tx, audit, at) => {
    const user = await userById(tx, userId)
    if (user === null) return "not found"
    const seats = await seatsOf(tx, userId)
    if (rightsVersion(user.isOperator, seats) !== version) return "changed"
    const lack = await lackWithout(tx, userId, { isOperator: user.isOperator, seats }, wanted)
    if (lack !== null) return lack
    await saveRights(tx, userId, seats, wanted)
    await audit(null, `changed what ${user.email} may do: ${inWords(wanted)}`)
    if (user.isOperator || !wanted.isOperator) return { path: null }
    await setPassword(tx, userId, null)
    return { path: await addPasswordLink(tx, userId, at) }
  })
}

const inWords = ({ isOperator, seats }: Rights) =>
  `${isOperator ? "operator" : "not an operator"}, in ${seats.length} organization${seats.length === 1 ? "" : "s"}`

async function saveRights(tx: Tx, userId: number, before: readonly Seat[], { isOperator, seats }: Rights) {
  await setOperator(tx, userId, isOperator)
  for (const { organization } of before) {
    const seat = seats.find(({ organizationId }) => organizationId === organization.id)
    if (seat === undefined) await deleteSeat(tx, userId, organization.id)
    else await setRole(tx, { userId, ...seat })
  }
}

interface StoredRights {
  readonly isOperator: boolean
  readonly seats: readonly Seat[]
}

/**
 * Who would be missing without this person: the server keeps an operator, and an organization with an admin keeps an
 * admin.
 */
async function lackWithout(read: ReadTx, userId: number, before: StoredRights, after: Rights) {
  if (before.isOperator && !after.isOperator && !(await hasOperator(read, userId))) return "last operator" as const
  for (const { organization, role } of before.seats) {
    const stays = after.seats.some((seat) => seat.organizationId === organization.id && seat.role === "admin")
    if (role !== "admin" || stays) continue
    if (!(await hasOtherAdmin(read, organization.id, userId))) return { lastAdminOf: organization.name }
  }
  return null
}

/** Deletes an account. The last operator, and the last admin of an organization, stay. */
export async function removeUser(context: Context, actor: Actor, userId: number): Promise<UserChange> {
  return change(context, actor, async (tx, audit) => {
    const user = await userById(tx, userId)
    if (user === null) return "not found"
    const before = { isOperator: user.isOperator, seats: await seatsOf(tx, userId) }
    const lack = await lackWithout(tx, userId, before, { isOperator: false, seats: [] })
    if (lack !== null) return lack
    // Its sessions, links and seats go with it.
    await tx.db.delete(tx.user).where(eq(tx.user.id, userId))
    await audit(null, `deleted the account of ${user.email}`)
    return { path: null }
  })
}
