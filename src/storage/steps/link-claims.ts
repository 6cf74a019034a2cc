import type { LinkClaimReads } from "../port/store.ts"
import { linkWorks } from "./credentials.ts"
import { eq, first, type Steps } from "./step.ts"

export function linkClaimReads({ query }: Pick<Steps, "query">): LinkClaimReads {
  return {
    find: (tokenHash, purpose, now) =>
      query(function* (tx) {
        const { db, oneTimeLink, user } = tx
        const { id, email, name } = user
        const link = yield* first(
          db
            .select({ id, email, name })
            .from(oneTimeLink)
            .leftJoin(user, eq(id, oneTimeLink.userId))
            .where(linkWorks(tx, tokenHash, purpose, now)),
        )
        if (link === undefined) return null
        return link.id === null || link.email === null || link.name === null
          ? { user: null }
          : { user: { id: link.id, email: link.email, name: link.name } }
      }),
  }
}
