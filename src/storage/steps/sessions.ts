import type { SessionReads } from "../port/store.ts"
import { all, and, desc, eq, gt, type Steps } from "./step.ts"

export function sessionReads({ query }: Pick<Steps, "query">): Pick<SessionReads, "list"> {
  return {
    list: (userId, now, currentHash) =>
      query(function* ({ db, session }) {
        const isOpen = and(eq(session.userId, userId), gt(session.expiresAt, now))
        const rows = db.select().from(session).where(isOpen).orderBy(desc(session.createdAt), desc(session.id))
        return (yield* all(rows)).map(({ tokenHash, userId: _, ...listed }) => ({
          ...listed,
          isCurrent: tokenHash === currentHash,
        }))
      }),
  }
}
