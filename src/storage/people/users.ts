import { and, asc, eq, getTableColumns, gt, ne, type SQL } from "drizzle-orm"
import type { Role } from "../../domain/people/person.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import type { Organization } from "../organizations.ts"
import { addRow, firstOf, hasRows } from "../sql-text.ts"
import type { NewRow, Row } from "../tables/tables.ts"

/** A person's place in an organization. */
export interface Seat {
  readonly organization: Organization
  readonly role: Role
}

/** An account, as lists and the operator see it. */
export type User = Awaited<ReturnType<typeof users>>[number]

type NewUser = Omit<NewRow<"user">, "isOperator"> & { readonly isOperator: boolean }

export const userById = (read: ReadTx, userId: number): Promise<User | null> =>
  firstOf(users(read, eq(read.user.id, userId)))

export const userByEmail = (read: ReadTx, email: string): Promise<User | null> =>
  firstOf(users(read, eq(read.user.email, email)))

/** Everybody with an account, by name. */
export const allUsers = (read: ReadTx): Promise<readonly User[]> => users(read, undefined)

async function users({ db, user }: ReadTx, where: SQL | undefined) {
  const rows = await db.select().from(user).where(where).orderBy(asc(user.name), asc(user.id))
  return rows.map(({ isOperator, passwordHash, totpSecret, totpStep: _, ...shown }) => ({
    ...shown,
    isOperator: isOperator === 1,
    hasPassword: passwordHash !== null,
    hasTwoFactor: totpSecret !== null,
  }))
}

/** Whether there is an operator, besides this person. */
export async function hasOperator({ db, user }: ReadTx, besides = 0): Promise<boolean> {
  const isOther = and(eq(user.isOperator, 1), ne(user.id, besides))
  return hasRows(db.select({ id: user.id }).from(user).where(isOther))
}

/** The email address must be normalized: see `normalEmail`. Without a hash, the person sets a password with a link. */
export const addUser = (tx: Tx, user: NewUser): Promise<number> =>
  addRow(tx, "user", { ...user, isOperator: Number(user.isOperator) })

export async function setUserName({ db, user }: Tx, userId: number, name: string): Promise<void> {
  await db.update(user).set({ name }).where(eq(user.id, userId))
}

export async function setOperator({ db, user }: Tx, userId: number, isOperator: boolean) {
  const set = { isOperator: Number(isOperator) }
  await db.update(user).set(set).where(eq(user.id, userId))
}

/** The organizations that a person belongs to, by name. */
export async function seatsOf({ db, membership, organization }: ReadTx, userId: number): Promise<readonly Seat[]> {
  return db
    .select({ organization, role: membership.role })
    .from(membership)
    .innerJoin(organization, eq(organization.id, membership.organizationId))
    .where(eq(membership.userId, userId))
    .orderBy(asc(organization.name), asc(organization.id))
}

/** The seats of all people, for lists. */
export async function allSeats({ db, membership, organization }: ReadTx) {
  return db
    .select({
      userId: membership.userId,
      role: membership.role,
      organization: organization.name,
      slug: organization.slug,
    })
    .from(membership)
    .innerJoin(organization, eq(organization.id, membership.organizationId))
    .orderBy(asc(organization.name), asc(organization.id))
}

/** The people of an organization, by name. */
export async function membersOf({ db, membership, user }: ReadTx, organizationId: number) {
  const { id, email, name, passwordHash } = user
  const rows = await db
    .select({ id, email, name, passwordHash, role: membership.role })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.organizationId, organizationId))
    .orderBy(asc(name), asc(id))
  return rows.map(({ passwordHash, ...member }) => ({ ...member, hasPassword: passwordHash !== null }))
}

/** Whether the organization has an admin besides this person. */
export async function hasOtherAdmin({ db, membership }: ReadTx, organizationId: number, userId: number) {
  const isAdmin = and(eq(membership.organizationId, organizationId), eq(membership.role, "admin"))
  return hasRows(
    db
      .select()
      .from(membership)
      .where(and(isAdmin, ne(membership.userId, userId))),
  )
}

export type NewSeat = NewRow<"membership">

export async function addSeat({ db, membership }: Tx, seat: NewSeat): Promise<void> {
  await db.insert(membership).values(seat)
}

/** Changes the role of a member. False if the person isn't one. */
export const setRole = (tx: Tx, { userId, organizationId, role }: NewSeat): Promise<boolean> =>
  hasRows(
    tx.db
      .update(tx.membership)
      .set({ role })
      .where(isSeat(tx, userId, organizationId))
      .returning(),
  )

/** Takes a person out of an organization. False if they weren't in it. */
export const deleteSeat = (tx: Tx, userId: number, organizationId: number): Promise<boolean> =>
  hasRows(
    tx.db
      .delete(tx.membership)
      .where(isSeat(tx, userId, organizationId))
      .returning(),
  )

const isSeat = ({ membership }: ReadTx, userId: number, organizationId: number) =>
  and(eq(membership.userId, userId), eq(membership.organizationId, organizationId))

/** A person who may join an organization, as the inviter typed it. */
export type Invitation = Row<"invitation">

/** The open and expired invitations of an organization, by name. */
export async function invitationsOf({ db, invitation }: ReadTx, organizationId: number): Promise<Invitation[]> {
  const isTheirs = eq(invitation.organizationId, organizationId)
  return db.select().from(invitation).where(isTheirs).orderBy(asc(invitation.name), asc(invitation.id))
}

/** Adds an invitation. It replaces an earlier one of the same organization to the same address. */
export async function addInvitation({ db, invitation }: Tx, added: NewRow<"invitation">) {
  const { organizationId, email, ...set } = added
  const target = [invitation.organizationId, invitation.email]
  await db.insert(invitation).values(added).onConflictDoUpdate({ target, set })
}

/** The invitation of a link, with its organization. Null if it has expired, was used or was withdrawn. */
export async function invitationByToken({ db, invitation, organization }: ReadTx, tokenHash: string, now: Moment) {
  return firstOf(
    db
      .select({ ...getTableColumns(invitation), organization: organization.name })
      .from(invitation)
      .innerJoin(organization, eq(organization.id, invitation.organizationId))
      .where(and(eq(invitation.tokenHash, tokenHash), gt(invitation.expiresAt, now))),
  )
}

/** Deletes an invitation of the organization, and returns its address. Null if it has no such invitation. */
export async function deleteInvitation({ db, invitation }: Tx, organizationId: number, invitationId: number) {
  const isOwn = and(eq(invitation.id, invitationId), eq(invitation.organizationId, organizationId))
  const [deleted] = await db.delete(invitation).where(isOwn).returning()
  return deleted?.email ?? null
}
