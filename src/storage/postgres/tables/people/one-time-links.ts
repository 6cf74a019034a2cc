import { and, eq, isNull } from "drizzle-orm"
import type { OneTimeLinks } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
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
