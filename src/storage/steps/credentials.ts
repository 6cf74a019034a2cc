import type { SQL } from "drizzle-orm"
import type { LinkPurpose } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { and, eq, first, gt, isNull, type ReadTx, type Step } from "./step.ts"
import { isStorable } from "./storable.ts"

/** The secrets that a sign-in is checked against. They never leave the action that reads them. */
export interface Credentials {
  readonly userId: number
  readonly email: string
  /** Null until the user has set a password. */
  readonly passwordHash: string | null
  /** Null without two-factor codes. */
  readonly totpSecret: string | null
}

export function* credentialsByEmail(tx: ReadTx, email: string): Step<Credentials | null> {
  return isStorable(email) ? yield* credentialsWhere(tx, eq(tx.user.email, email)) : null
}

export function* credentialsOf(tx: ReadTx, userId: number): Step<Credentials | null> {
  return yield* credentialsWhere(tx, eq(tx.user.id, userId))
}

/** The user of a sign-in that waits for its two-factor code. The link stays open, so that a mistyped code can be entered again. */
export function* credentialsByCodeLink(tx: ReadTx, tokenHash: string, now: Moment): Step<Credentials | null> {
  const { db, user, oneTimeLink } = tx
  const works = linkWorks(tx, tokenHash, "second_factor", now)
  const links = db.select(columns(user)).from(oneTimeLink).innerJoin(user, eq(user.id, oneTimeLink.userId))
  return (yield* first(links.where(works))) ?? null
}

/** Whether a one-time link can be used now: it is unclaimed and has not expired. */
export function linkWorks({ oneTimeLink }: ReadTx, tokenHash: string, purpose: LinkPurpose, now: Moment) {
  return and(
    eq(oneTimeLink.tokenHash, tokenHash),
    eq(oneTimeLink.purpose, purpose),
    isNull(oneTimeLink.claimedAt),
    gt(oneTimeLink.expiresAt, now),
  )
}

function* credentialsWhere({ db, user }: ReadTx, which: SQL): Step<Credentials | null> {
  return (yield* first(db.select(columns(user)).from(user).where(which))) ?? null
}

function columns({ id, email, passwordHash, totpSecret }: ReadTx["user"]) {
  return { userId: id, email, passwordHash, totpSecret }
}
