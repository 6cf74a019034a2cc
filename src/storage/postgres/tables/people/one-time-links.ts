import { and, eq, inArray, isNull } from "drizzle-orm"
import type { OneTimeLinks } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { oneTimeLink } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changePeople } from "./change-people.ts"
import { credentialsOf } from "./credentials.ts"

export function oneTimeLinks(connection: Connection): OneTimeLinks {
  return {
    issue: (link, by) =>
      changePeople(connection, async (transaction) => {
        const { drizzle } = transaction
        const { userId, purpose } = link
        // The user was deleted meanwhile: the link does not work, like an expired one.
        if (userId !== null && (await credentialsOf(transaction, userId)) === null) return
        const samePerson = userId === null ? isNull(oneTimeLink.userId) : eq(oneTimeLink.userId, userId)
        await drizzle
          .delete(oneTimeLink)
          .where(and(eq(oneTimeLink.purpose, purpose), samePerson, isNull(oneTimeLink.claimedAt)))
        await drizzle.insert(oneTimeLink).values(link)
        const subject = userId === null ? "the first operator" : `user:${userId}`
        await addAuditEntry(transaction, by, { action: `issue ${purpose}_link`, subject })
      }),
  }
}

/** Deletes the unclaimed links of a user. Call it inside a transaction. */
export async function endLinks(
  { drizzle }: Session,
  userId: number,
  purposes: ("password" | "second_factor")[],
): Promise<void> {
  const open = and(inArray(oneTimeLink.purpose, purposes), isNull(oneTimeLink.claimedAt))
  await drizzle.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), open))
}
