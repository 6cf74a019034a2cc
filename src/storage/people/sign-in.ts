import { and, count, desc, eq, gt, inArray, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm"
import { type Failures, forgottenBefore } from "../../domain/people/password.ts"
import { createToken, hashToken, idleSince, type LinkPurpose } from "../../domain/people/session.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import { firstOf, hasRows } from "../sql-text.ts"
import type { NewRow, Row } from "../tables/tables.ts"
import { seatsOf } from "./users.ts"

/** The secrets that prove a person's identity. Only actions see them. */
export type Credentials = Row<"user">

export const credentialsByEmail = (read: ReadTx, email: string): Promise<Credentials | null> =>
  credentials(read, eq(read.user.email, email))

export const credentialsOf = (read: ReadTx, userId: number): Promise<Credentials | null> =>
  credentials(read, eq(read.user.id, userId))

const credentials = ({ db, user }: ReadTx, where: SQL): Promise<Credentials | null> =>
  firstOf(db.select().from(user).where(where))

/** Sets a password, and ends everything that the old one opened: sessions, links, and sign-ins that wait for a code. */
export async function setPassword(
  tx: Tx,
  userId: number,
  passwordHash: string | null,
  keptSession: string | null = null,
): Promise<void> {
  await tx.db.update(tx.user).set({ passwordHash }).where(eq(tx.user.id, userId))
  await deleteLinksOf(tx, userId, ["password", "second_factor"])
  await deleteSessionsOf(tx, userId, keptSession)
}

/** Adds a link, and returns its token. Expired links are deleted, so that the table doesn't grow. */
export async function addLink({ db, oneTimeLink }: Tx, link: Omit<NewRow<"oneTimeLink">, "tokenHash">) {
  const token = createToken()
  await db.delete(oneTimeLink).where(lt(oneTimeLink.expiresAt, link.createdAt))
  await db.insert(oneTimeLink).values({ ...link, tokenHash: hashToken(token) })
  return token
}

interface WantedLink {
  readonly tokenHash: string
  readonly purpose: LinkPurpose
  readonly now: Moment
}

const works = ({ oneTimeLink }: ReadTx, { tokenHash, purpose, now }: WantedLink) =>
  and(
    eq(oneTimeLink.tokenHash, tokenHash),
    eq(oneTimeLink.purpose, purpose),
    isNull(oneTimeLink.claimedAt),
    gt(oneTimeLink.expiresAt, now),
  )

/** Whose link it is. Null if it doesn't work. */
export const linkThatWorks = (read: ReadTx, wanted: WantedLink) =>
  firstOf(read.db.select().from(read.oneTimeLink).where(works(read, wanted)))

/** Uses a link, which works only once. Null if it doesn't work. */
export const claimLink = (tx: Tx, wanted: WantedLink) =>
  firstOf(tx.db.update(tx.oneTimeLink).set({ claimedAt: wanted.now }).where(works(tx, wanted)).returning())

/** Deletes the links of a person that weren't used. */
export async function deleteLinksOf(
  { db, oneTimeLink }: Tx,
  userId: number,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  const isOpen = and(inArray(oneTimeLink.purpose, [...purposes]), isNull(oneTimeLink.claimedAt))
  await db.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), isOpen))
}

/** Whether the person got a link since a moment that expires by another. */
export async function hasRecentLink(read: ReadTx, userId: number, since: Moment, expiresBy: Moment): Promise<boolean> {
  const { db, oneTimeLink } = read
  const isTheirs = and(eq(oneTimeLink.userId, userId), eq(oneTimeLink.purpose, "password"))
  const isRecent = and(gt(oneTimeLink.createdAt, since), lt(oneTimeLink.expiresAt, expiresBy + 1))
  return hasRows(db.select().from(oneTimeLink).where(and(isTheirs, isRecent)))
}

/** Turns two-factor codes on, or off with null. Earlier recovery codes stop working. */
export async function setTwoFactor(
  { db, user, recoveryCode }: Tx,
  userId: number,
  totpSecret: string | null,
  recoveryHashes: readonly string[],
): Promise<void> {
  await db.update(user).set({ totpSecret, totpStep: null }).where(eq(user.id, userId))
  await db.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  const codes = recoveryHashes.map((codeHash) => ({ userId, codeHash }))
  if (codes.length > 0) await db.insert(recoveryCode).values(codes)
}

/** Uses the code of a time step. False if a code of this step or a later one was used before. */
export async function claimTimeStep({ db, user }: Tx, userId: number, timeStep: number): Promise<boolean> {
  const isNew = and(eq(user.id, userId), or(isNull(user.totpStep), lt(user.totpStep, timeStep)))
  return hasRows(db.update(user).set({ totpStep: timeStep }).where(isNew).returning())
}

/** Uses a recovery code. False if the person has no such code left. */
export async function claimRecoveryCode({ db, recoveryCode }: Tx, userId: number, codeHash: string): Promise<boolean> {
  const isTheirs = and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash))
  return hasRows(db.delete(recoveryCode).where(isTheirs).returning())
}

export async function recoveryCodesLeft({ db, recoveryCode }: ReadTx, userId: number): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recoveryCode).where(eq(recoveryCode.userId, userId))
  return row?.left ?? 0
}

/** The failed sign-ins of these subjects. A subject without any has none. */
export async function failuresOf(read: ReadTx, subjects: readonly string[]): Promise<ReadonlyMap<string, Failures>> {
  const { db, signInFailure } = read
  const rows = await db
    .select()
    .from(signInFailure)
    .where(inArray(signInFailure.subject, [...subjects]))
  return new Map(rows.map(({ subject, failures, lastAt }) => [subject, { failures, lastAt }]))
}

/** Saves failed sign-ins, and forgets those that are long over, so that the table doesn't grow. */
export async function saveFailures({ db, signInFailure }: Tx, failures: ReadonlyMap<string, Failures>, now: Moment) {
  await db.delete(signInFailure).where(lt(signInFailure.lastAt, forgottenBefore(now)))
  const rows = [...failures].map(([subject, each]) => ({ subject, ...each }))
  const set = { failures: sql`excluded.failures`, lastAt: sql`excluded.last_at` }
  await db.insert(signInFailure).values(rows).onConflictDoUpdate({ target: signInFailure.subject, set })
}

export async function forgetFailures({ db, signInFailure }: Tx, subjects: readonly string[]): Promise<void> {
  await db.delete(signInFailure).where(inArray(signInFailure.subject, [...subjects]))
}

/** The session of a token, with its person. Null if it has expired or was ended. */
export async function sessionByToken(read: ReadTx, tokenHash: string, now: Moment) {
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

/** The person behind a request. */
export type SignedIn = NonNullable<Awaited<ReturnType<typeof sessionByToken>>>["user"]

const isOpen = ({ session }: ReadTx, now: Moment) =>
  and(gt(session.expiresAt, now), gt(session.lastSeenAt, idleSince(now)))

export type Session = Row<"session">

/** The open sessions of a person, last used first. */
export async function sessionsOf(read: ReadTx, userId: number, now: Moment): Promise<Session[]> {
  const { db, session } = read
  const isTheirs = and(eq(session.userId, userId), isOpen(read, now))
  return db.select().from(session).where(isTheirs).orderBy(desc(session.lastSeenAt), desc(session.id))
}

/** Adds a session, and deletes all expired ones, so that the table doesn't grow. */
export async function addSession({ db, session }: Tx, added: Omit<NewRow<"session">, "lastSeenAt">) {
  const { createdAt } = added
  await db.delete(session).where(or(lte(session.expiresAt, createdAt), lte(session.lastSeenAt, idleSince(createdAt))))
  await db.insert(session).values({ ...added, lastSeenAt: createdAt })
}

export async function deleteSession({ db, session }: Tx, tokenHash: string): Promise<void> {
  await db.delete(session).where(eq(session.tokenHash, tokenHash))
}

/** Deletes one of the person's sessions. False if they have no such session. */
export async function deleteSessionOf({ db, session }: Tx, userId: number, sessionId: number): Promise<boolean> {
  const isTheirs = and(eq(session.id, sessionId), eq(session.userId, userId))
  return hasRows(db.delete(session).where(isTheirs).returning())
}

/** Deletes all of the person's sessions except the one of `keptHash`. */
export async function deleteSessionsOf({ db, session }: Tx, userId: number, keptHash: string | null): Promise<void> {
  const isKept = keptHash === null ? undefined : ne(session.tokenHash, keptHash)
  await db.delete(session).where(and(eq(session.userId, userId), isKept))
}
