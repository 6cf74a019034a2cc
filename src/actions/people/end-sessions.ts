import { sessionEnd } from "../../domain/people/user.ts"
import { MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import type { SignedIn } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

// Not with every request: that would be a write for each.
const EXTENDED_AT_MOST_EVERY = 3_600 * MICROS_PER_SECOND

/** Puts off the end of a session that is being used. */
export async function keepSession(context: Context, sessionHash: string, { session }: SignedIn): Promise<void> {
  const now = context.clock()
  const until = sessionEnd(session.createdAt, now)
  if (until - session.expiresAt < EXTENDED_AT_MOST_EVERY) return
  // The page can be read without it, for example while the disk is full.
  await writesOf(context)
    .sessions.extend(sessionHash, until, now)
    .catch(() => undefined)
}

export function signOut(context: Context, sessionHash: string): Promise<void> {
  return writesOf(context).sessions.end(sessionHash)
}

/** Ends one session of a user. False when there is no such session. */
export function endSession(context: Context, userId: number, sessionId: number): Promise<boolean> {
  return writesOf(context).sessions.endOne(userId, sessionId, { actor: `user:${userId}`, at: context.clock() })
}

/** Ends every session of a user, and every sign-in that waits for a code. */
export function signOutEverywhere(context: Context, userId: number): Promise<void> {
  return writesOf(context).sessions.endAll(userId, null, { actor: `user:${userId}`, at: context.clock() })
}
