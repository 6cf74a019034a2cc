import { and, eq, inArray, isNull } from "drizzle-orm"
import type { Connection } from "../../engine/connection.ts"
import { oneTimeLink } from "../../schema.ts"

/** Deletes the unclaimed links of a user. Call it inside a transaction. */
export function endLinks({ drizzle }: Connection, userId: number, purposes: ("password" | "second_factor")[]): void {
  const open = and(inArray(oneTimeLink.purpose, purposes), isNull(oneTimeLink.claimedAt))
  drizzle
    .delete(oneTimeLink)
    .where(and(eq(oneTimeLink.userId, userId), open))
    .run()
}
