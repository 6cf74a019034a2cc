import { and, eq, inArray, isNull } from "drizzle-orm"
import type { OneTimeLinks } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { oneTimeLink, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"

export function oneTimeLinks(connection: Connection): OneTimeLinks {
  const { drizzle, write } = connection
  return {
    issue: (link, change) =>
      write.run(() => {
        // The user was deleted meanwhile: the link does not work, like an expired one.
        if (link.userId !== null && !isThere(drizzle, link.userId)) return
        const samePerson = link.userId === null ? isNull(oneTimeLink.userId) : eq(oneTimeLink.userId, link.userId)
        drizzle
          .delete(oneTimeLink)
          .where(and(eq(oneTimeLink.purpose, link.purpose), samePerson, isNull(oneTimeLink.claimedAt)))
          .run()
        drizzle.insert(oneTimeLink).values(link).run()
        const subject = link.userId === null ? "the first operator" : `user:${link.userId}`
        addAuditEntry(connection, change, { action: `issue ${link.purpose}_link`, subject })
      }),
  }
}

/** Deletes the unclaimed links of a user. Call it inside a transaction. */
export function endLinks({ drizzle }: Connection, userId: number, purposes: ("password" | "second_factor")[]): void {
  const open = and(inArray(oneTimeLink.purpose, purposes), isNull(oneTimeLink.claimedAt))
  drizzle
    .delete(oneTimeLink)
    .where(and(eq(oneTimeLink.userId, userId), open))
    .run()
}

function isThere(drizzle: Connection["drizzle"], userId: number): boolean {
  return drizzle.select({ id: user.id }).from(user).where(eq(user.id, userId)).get() !== undefined
}
