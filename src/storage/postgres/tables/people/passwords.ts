import { and, eq, inArray, isNull, ne } from "drizzle-orm"
import type { Session } from "../../engine/session.ts"
import { oneTimeLink, session, user } from "../../schema.ts"

/**
 * Sets a password, and deletes open password links, sign-ins that wait for their code, and sessions except the one of
 * `keepTokenHash`. Call it inside a transaction. The only place that changes the password of an account.
 */
export async function replacePassword(
  transaction: Session,
  userId: number,
  passwordHash: string,
  keepTokenHash: string | null = null,
): Promise<void> {
  await Promise.all([
    transaction.drizzle.update(user).set({ passwordHash }).where(eq(user.id, userId)),
    endLinks(transaction, userId, ["password", "second_factor"]),
    endSessions(transaction, userId, keepTokenHash),
  ])
}

export async function endSessions({ drizzle }: Session, userId: number, keepTokenHash: string | null): Promise<void> {
  const others = keepTokenHash === null ? undefined : ne(session.tokenHash, keepTokenHash)
  await drizzle.delete(session).where(and(eq(session.userId, userId), others))
}

export async function endLinks(
  { drizzle }: Session,
  userId: number,
  purposes: ("password" | "second_factor")[],
): Promise<void> {
  const open = and(inArray(oneTimeLink.purpose, purposes), isNull(oneTimeLink.claimedAt))
  await drizzle.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), open))
}
