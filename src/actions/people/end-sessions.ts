import { type Context, writesOf } from "../context.ts"

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
