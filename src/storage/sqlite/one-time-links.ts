import { and, eq, isNull } from "drizzle-orm"
import type { OneTimeLinks } from "../store.ts"
import type { Connection } from "./connection.ts"
import { oneTimeLink, user } from "./schema.ts"

export function oneTimeLinks({ drizzle, write }: Connection): OneTimeLinks {
  return {
    issue: (link) =>
      write.run(() => {
        // Somebody removed the person meanwhile: the link leads nowhere, like one that is too old.
        if (link.userId !== null && !isThere(drizzle, link.userId)) return
        const samePerson = link.userId === null ? isNull(oneTimeLink.userId) : eq(oneTimeLink.userId, link.userId)
        drizzle
          .delete(oneTimeLink)
          .where(and(eq(oneTimeLink.purpose, link.purpose), samePerson, isNull(oneTimeLink.claimedAt)))
          .run()
        drizzle.insert(oneTimeLink).values(link).run()
      }),
  }
}

function isThere(drizzle: Connection["drizzle"], userId: number): boolean {
  return drizzle.select({ id: user.id }).from(user).where(eq(user.id, userId)).get() !== undefined
}
