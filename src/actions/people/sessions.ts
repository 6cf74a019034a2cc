import type { Caller } from "../../domain/callers/fair-queue.ts"
import type { Change } from "../../domain/people/audit.ts"
import { sessionEnd } from "../../domain/people/user.ts"
import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import type { SessionRecord, SignedIn } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { credentialsOf } from "../../storage/steps/sign-in.ts"
import { and, eq, exec, gt, isThere, lte, ne, or, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact, verb } from "../context.ts"
import { newToken } from "../new-id.ts"
import { endLinks } from "./one-time-links.ts"

export type SignedInOutcome = Awaited<ReturnType<typeof openSession>>

/** Opens a session with a new token, so that nobody can plant one for another person. */
export async function openSession(context: Context, userId: number, previousHash: string | null, caller?: Caller) {
  const { session, token } = newSession(context, userId, caller)
  await transact(context, (tx) => storeSession(tx, session, { previousHash }))
  return { outcome: "signed_in", token, userId } as const
}

export function newSession(context: Context, userId: number, caller?: Caller) {
  const { token, stored } = newToken(context, sessionEnd(0, 0))
  const client = { userAgent: caller?.userAgent ?? null, address: caller?.name ?? null }
  return { session: { ...stored, userId, ...client }, token }
}

/**
 * Starts a session and ends the one of `previousHash`, so that a new sign-in never leaves an older token working. False when the user no
 * longer exists, or when `passwordHash` is given and is no longer the stored one.
 */
export function* storeSession(
  tx: Tx,
  opened: SessionRecord,
  { previousHash, passwordHash }: { readonly previousHash: string | null; readonly passwordHash?: string | null },
): Step<boolean> {
  const { db, session } = tx
  const person = yield* credentialsOf(tx, opened.userId)
  if (person === null || (passwordHash !== undefined && person.passwordHash !== passwordHash)) return false
  const isPrevious = previousHash === null ? undefined : eq(session.tokenHash, previousHash)
  // Expired sessions of all users are deleted on this occasion, so that the table does not grow.
  yield* exec(db.delete(session).where(or(lte(session.expiresAt, opened.createdAt), isPrevious)))
  yield* exec(db.insert(session).values(opened))
  return true
}

// Not with every request: that would be a write for each.
const EXTENDED_AT_MOST_EVERY = 3_600 * MICROS_PER_SECOND

/** Puts off the end of a session that is being used. */
export async function keepSession(context: Context, sessionHash: string, { session }: SignedIn): Promise<void> {
  const now = context.clock()
  const until = sessionEnd(session.createdAt, now)
  if (until - session.expiresAt < EXTENDED_AT_MOST_EVERY) return
  // The page can be read without it, for example while the disk is full.
  await transact(context, (tx) => extendSession(tx, sessionHash, until, now)).catch(() => undefined)
}

export function extendSession({ db, session }: Tx, tokenHash: string, until: Moment, now: Moment): Step<void> {
  const isValid = and(eq(session.tokenHash, tokenHash), gt(session.expiresAt, now))
  return exec(db.update(session).set({ expiresAt: until }).where(isValid))
}

export const signOut = (context: Context, sessionHash: string): Promise<void> =>
  transact(context, (tx) => deleteSession(tx, sessionHash))

export const deleteSession = ({ db, session }: Tx, tokenHash: string) =>
  exec(db.delete(session).where(eq(session.tokenHash, tokenHash)))

/** Ends one session of a user. False when there is no such session. */
export const endSession = verb(function* (tx, userId: number, sessionId: number, by: Change) {
  const { db, session } = tx
  const isOwn = and(eq(session.id, sessionId), eq(session.userId, userId))
  if (!(yield* isThere(db.delete(session).where(isOwn).returning({ id: session.id })))) return false
  yield* audit(tx, by, { action: "end session", subject: `user:${userId}` })
  return true
})

/** Ends every session of a user, and every sign-in that waits for a code. */
export const signOutEverywhere = (context: Context, userId: number): Promise<void> =>
  transact(context, (tx) => endAll(tx, userId, null, { actor: `user:${userId}`, at: context.clock() }))

export function* endAll(tx: Tx, userId: number, keepTokenHash: string | null, by: Change): Step<void> {
  yield* endSessions(tx, userId, keepTokenHash)
  // A sign-in that waits for its code must not become a session after this.
  yield* endLinks(tx, userId, ["second_factor"])
  yield* audit(tx, by, { action: "end sessions", subject: `user:${userId}` })
}

/** Ends all sessions of a user but the one of `keepTokenHash`. */
export function* endSessions({ db, session }: Tx, userId: number, keepTokenHash: string | null): Step<void> {
  const isOther = keepTokenHash === null ? undefined : ne(session.tokenHash, keepTokenHash)
  yield* exec(db.delete(session).where(and(eq(session.userId, userId), isOther)))
}
