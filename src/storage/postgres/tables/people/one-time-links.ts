import { and, eq, inArray, isNull } from "drizzle-orm"
import type { Session } from "../../engine/session.ts"
import { oneTimeLink } from "../../schema.ts"

/** Deletes the unclaimed links of a user. Call it inside a transaction. */
export async function endLinks(
  { drizzle }: Session,
  userId: number,
  purposes: ("password" | "second_factor")[],
): Promise<void> {
  const open = and(inArray(oneTimeLink.purpose, purposes), isNull(oneTimeLink.claimedAt))
  await drizzle.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), open))
}
