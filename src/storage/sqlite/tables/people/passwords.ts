import { and, eq, inArray, isNull, ne } from "drizzle-orm"
import type { Connection } from "../../engine/connection.ts"
import { oneTimeLink, session, user } from "../../schema.ts"

/**
 * Sets a password, and deletes open password links, sign-ins that wait for their code, and sessions except the one of
 * `keepTokenHash`. Call it inside a transaction. The only place that changes the password of an account.
 */
export function replacePassword(
  connection: Connection,
  userId: number,
  passwordHash: string,
  keepTokenHash: string | null = null,
): void {
  connection.drizzle.update(user).set({ passwordHash }).where(eq(user.id, userId)).run()
  endLinks(connection, userId, ["password", "second_factor"])
  endSessions(connection, userId, keepTokenHash)
}

export function endSessions({ drizzle }: Connection, userId: number, keepTokenHash: string | null): void {
  const others = keepTokenHash === null ? undefined : ne(session.tokenHash, keepTokenHash)
  drizzle
    .delete(session)
    .where(and(eq(session.userId, userId), others))
    .run()
}

export function endLinks({ drizzle }: Connection, userId: number, purposes: ("password" | "second_factor")[]): void {
  const open = and(inArray(oneTimeLink.purpose, purposes), isNull(oneTimeLink.claimedAt))
  drizzle
    .delete(oneTimeLink)
    .where(and(eq(oneTimeLink.userId, userId), open))
    .run()
}
