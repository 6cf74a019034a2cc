import type { Context } from "../context.ts"

/** Ends the session of one token. */
export function signOut({ store }: Context, sessionHash: string): Promise<void> {
  return store.sessions.end(sessionHash)
}

/** Ends every session of a person, and every sign-in that waits for its code. */
export function signOutEverywhere({ store, clock }: Context, userId: number): Promise<void> {
  return store.sessions.endAll(userId, null, { actor: `user:${userId}`, at: clock() })
}
