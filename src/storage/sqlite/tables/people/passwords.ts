import { eq } from "drizzle-orm"
import type { Connection } from "../../engine/connection.ts"
import { user } from "../../schema.ts"
import { endLinks } from "./one-time-links.ts"
import { endSessions } from "./sessions.ts"

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
