import { eq } from "drizzle-orm"
import type { Session } from "../../engine/session.ts"
import { user } from "../../schema.ts"
import { endLinks } from "./one-time-links.ts"
import { endSessions } from "./sessions.ts"

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
