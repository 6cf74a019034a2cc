import { and, eq, isNull } from "drizzle-orm"
import type { OneTimeLinks } from "../store.ts"
import type { Connection } from "./connection.ts"
import { oneTimeLink } from "./schema.ts"

export function oneTimeLinks({ drizzle, write }: Connection): OneTimeLinks {
  return {
    issue: (link) =>
      write.run(() => {
        const samePerson = link.userId === null ? isNull(oneTimeLink.userId) : eq(oneTimeLink.userId, link.userId)
        drizzle
          .delete(oneTimeLink)
          .where(and(eq(oneTimeLink.purpose, link.purpose), samePerson, isNull(oneTimeLink.claimedAt)))
          .run()
        drizzle.insert(oneTimeLink).values(link).run()
      }),
  }
}
