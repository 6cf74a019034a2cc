import type { LinkPurpose } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { and, eq, exec, first, gt, inArray, isNull, type ReadTx, type Step, type Tx } from "./step.ts"

// What ends a link: it is used, it expires (`linkWorks`), a newer one takes its place (`actions/people/one-time-links.ts`), its owner gets
// another password or more rights (`endLinks`), or the account goes.

/** Whether a one-time link can be used now: it is unclaimed and has not expired. */
export function linkWorks({ oneTimeLink }: ReadTx, tokenHash: string, purpose: LinkPurpose, now: Moment) {
  return and(
    eq(oneTimeLink.tokenHash, tokenHash),
    eq(oneTimeLink.purpose, purpose),
    isNull(oneTimeLink.claimedAt),
    gt(oneTimeLink.expiresAt, now),
  )
}

/** Deletes the unclaimed links of a user. */
export function* endLinks({ db, oneTimeLink }: Tx, userId: number, purposes: readonly LinkPurpose[]): Step<void> {
  const isOpen = and(inArray(oneTimeLink.purpose, [...purposes]), isNull(oneTimeLink.claimedAt))
  yield* exec(db.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), isOpen)))
}

/** The user of an unclaimed link; null for the link that creates the first operator. */
interface OpenLink {
  readonly user: { readonly id: number; readonly email: string; readonly name: string } | null
}

export const linkClaimReads = {
  /** Null when the link was claimed, has expired or never existed. */
  *find(tx: ReadTx, tokenHash: string, purpose: LinkPurpose, now: Moment): Step<OpenLink | null> {
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
  },
}
