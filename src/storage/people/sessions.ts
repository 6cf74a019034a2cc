import { and, desc, eq, gt, lte, ne, or } from "drizzle-orm"
import { idleSince } from "../../domain/people/session.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import { type Seat, seatsOf } from "./users.ts"

/** The person behind a request. */
export interface SignedIn {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly seats: readonly Seat[]
}

interface OpenSession {
  readonly user: SignedIn
  readonly lastSeenAt: Moment
}

/** The session of a token, with its person. Null if it has expired or was ended. */
export async function sessionByToken(read: ReadTx, tokenHash: string, now: Moment): Promise<OpenSession | null> {
  const { db, session, user } = read
  const { id, email, name, isOperator } = user
  const [row] = await db
    .select({ user: { id, email, name, isOperator }, lastSeenAt: session.lastSeenAt })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.tokenHash, tokenHash), isOpen(read, now)))
  if (row === undefined) return null
  const person = { ...row.user, isOperator: row.user.isOperator === 1, seats: await seatsOf(read, row.user.id) }
  return { user: person, lastSeenAt: row.lastSeenAt }
}

const isOpen = ({ session }: ReadTx, now: Moment) =>
  and(gt(session.expiresAt, now), gt(session.lastSeenAt, idleSince(now)))

/** A session as its owner sees it in a list. */
export interface ListedSession {
  readonly id: number
  readonly tokenHash: string
  readonly createdAt: Moment
  readonly lastSeenAt: Moment
  readonly userAgent: string | null
  readonly address: string | null
}

/** The open sessions of a person, last used first. */
export async function sessionsOf(read: ReadTx, userId: number, now: Moment): Promise<readonly ListedSession[]> {
  const { db, session } = read
  const { id, tokenHash, createdAt, lastSeenAt, userAgent, address } = session
  return db
    .select({ id, tokenHash, createdAt, lastSeenAt, userAgent, address })
    .from(session)
    .where(and(eq(session.userId, userId), isOpen(read, now)))
    .orderBy(desc(session.lastSeenAt), desc(session.id))
}

interface NewSession {
  readonly tokenHash: string
  readonly userId: number
  readonly createdAt: Moment
  readonly expiresAt: Moment
  readonly userAgent: string
  readonly address: string
}

/** Adds a session, and deletes all expired ones, so that the table doesn't grow. */
export async function addSession({ db, session }: Tx, added: NewSession): Promise<void> {
  const { createdAt } = added
  await db.delete(session).where(or(lte(session.expiresAt, createdAt), lte(session.lastSeenAt, idleSince(createdAt))))
  await db.insert(session).values({ ...added, lastSeenAt: createdAt })
}

export async function saveSessionUse({ db, session }: Tx, tokenHash: string, at: Moment): Promise<void> {
  await db.update(session).set({ lastSeenAt: at }).where(eq(session.tokenHash, tokenHash))
}

export async function deleteSession({ db, session }: Tx, tokenHash: string): Promise<void> {
  await db.delete(session).where(eq(session.tokenHash, tokenHash))
}

/** Deletes one of the person's sessions. False if they have no such session. */
export async function deleteSessionOf({ db, session }: Tx, userId: number, sessionId: number): Promise<boolean> {
  const isTheirs = and(eq(session.id, sessionId), eq(session.userId, userId))
  const deleted = await db.delete(session).where(isTheirs).returning({ id: session.id })
  return deleted.length > 0
}

/** Deletes all of the person's sessions except the one of `keptHash`. */
export async function deleteSessionsOf({ db, session }: Tx, userId: number, keptHash: string | null): Promise<void> {
  const isKept = keptHash === null ? undefined : ne(session.tokenHash, keptHash)
  await db.delete(session).where(and(eq(session.userId, userId), isKept))
}
