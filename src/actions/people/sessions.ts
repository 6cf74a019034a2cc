import { createToken, hashToken, isUseSaved, sessionEnd } from "../../domain/people/session.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { Tx } from "../../storage/database.ts"
import {
  addSession,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  saveSessionUse,
} from "../../storage/people/sessions.ts"
import type { Context } from "../context.ts"

/** The browser that a person signs in with, for the list of sessions. */
export interface Browser {
  readonly userAgent: string
  readonly address: string
  /** The session that this browser had before. It ends, so that no older token keeps working. */
  readonly previousHash: string | null
}

/** Opens a session with a new token, so that an attacker can't plant one. The token is returned here and never again. */
export async function openSession(tx: Tx, userId: number, browser: Browser, now: Moment): Promise<string> {
  const token = createToken()
  const { userAgent, address, previousHash } = browser
  if (previousHash !== null) await deleteSession(tx, previousHash)
  const session = { tokenHash: hashToken(token), userId, createdAt: now, expiresAt: sessionEnd(now) }
  await addSession(tx, { ...session, userAgent, address })
  return token
}

/** Notes that a session is in use, at most once an hour. */
export async function noteSessionUse(
  { database, clock, log }: Context,
  tokenHash: string,
  lastSeenAt: Moment,
): Promise<void> {
  const now = clock()
  if (isUseSaved(lastSeenAt, now)) return
  try {
    await database.transactBeside((tx) => saveSessionUse(tx, tokenHash, now))
  } catch (cause) {
    // Pages can be read without it, for example while the disk is full.
    log.error("session use not saved", cause)
  }
}

export const signOut = ({ database }: Context, tokenHash: string): Promise<void> =>
  database.transact((tx) => deleteSession(tx, tokenHash))

/** Ends one of a person's sessions. False if they have no such session. */
export async function endSession({ database, clock }: Context, userId: number, sessionId: number): Promise<boolean> {
  return database.transact(async (tx) => {
    if (!(await deleteSessionOf(tx, userId, sessionId))) return false
    const text = "signed out another browser"
    await addAuditEntry(tx, { at: clock(), actor: `user:${userId}`, organizationId: null, text })
    return true
  })
}

/** Ends all of a person's sessions except the one that asks for it. */
export async function endOtherSessions({ database, clock }: Context, userId: number, keptHash: string): Promise<void> {
  await database.transact(async (tx) => {
    await deleteSessionsOf(tx, userId, keptHash)
    const text = "signed out all other browsers"
    await addAuditEntry(tx, { at: clock(), actor: `user:${userId}`, organizationId: null, text })
  })
}
