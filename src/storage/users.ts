import { asc, eq } from "drizzle-orm"
import type { Role } from "../domain/people/role.ts"
import type { Moment } from "../domain/time/moment.ts"
import type { ReadTx, Tx } from "./database.ts"
import type { Organization } from "./organizations.ts"

/** A person's place in an organization. */
export interface Seat {
  readonly organization: Organization
  readonly role: Role
}

export interface NewUser {
  /** Normalized: see `normalEmail`. */
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly passwordHash: string | null
  readonly createdAt: Moment
}

export async function addUser(tx: Tx, { isOperator, ...user }: NewUser): Promise<number> {
  const values = { ...user, isOperator: Number(isOperator) }
  const [added] = await tx.db.insert(tx.user).values(values).returning({ id: tx.user.id })
  if (added === undefined) throw new Error("The user was not added.")
  return added.id
}

/** The organizations that a person belongs to, by name. */
export async function seatsOf({ db, membership, organization }: ReadTx, userId: number): Promise<readonly Seat[]> {
  const { id, slug, name, timeZone } = organization
  return db
    .select({ organization: { id, slug, name, timeZone }, role: membership.role })
    .from(membership)
    .innerJoin(organization, eq(organization.id, membership.organizationId))
    .where(eq(membership.userId, userId))
    .orderBy(asc(organization.name), asc(organization.id))
}

export async function addSeat(
  { db, membership }: Tx,
  seat: { readonly userId: number; readonly organizationId: number; readonly role: Role },
): Promise<void> {
  await db.insert(membership).values(seat)
}
