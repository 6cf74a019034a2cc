import type { LinkPurpose } from "../../domain/people/user.ts"
import { all, and, eq, exec, inArray, isNull, type ReadTx, type Step, type Tx } from "./step.ts"

export interface Rights {
  readonly isOperator: boolean
  /** Their ids. */
  readonly organizations: readonly number[]
}

/** What an account gives access to. */
export function* rightsOf({ db, user, membership }: ReadTx, userId: number): Step<Rights> {
  const columns = { isOperator: user.isOperator, organizationId: membership.organizationId }
  const rows = db.select(columns).from(user).leftJoin(membership, eq(membership.userId, user.id))
  const rights = yield* all(rows.where(eq(user.id, userId)))
  return {
    isOperator: rights[0]?.isOperator === 1,
    organizations: rights.flatMap(({ organizationId }) => organizationId ?? []),
  }
}

/**
 * A change of what somebody may do. If they gain access to anything, open password links are deleted: an admin of one organization may
 * hold such a link, which must not open more than that organization.
 */
export function* changingRights(tx: Tx, userId: number, change: Step<void>): Step<void> {
  const before = yield* rightsOf(tx, userId)
  yield* change
  const after = yield* rightsOf(tx, userId)
  const isMore = after.organizations.some((id) => !before.organizations.includes(id))
  if (isMore || (after.isOperator && !before.isOperator)) yield* endLinks(tx, userId, ["password"])
}

/** Deletes the unclaimed links of a user. */
export function* endLinks({ db, oneTimeLink }: Tx, userId: number, purposes: readonly LinkPurpose[]): Step<void> {
  const isOpen = and(inArray(oneTimeLink.purpose, [...purposes]), isNull(oneTimeLink.claimedAt))
  yield* exec(db.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), isOpen)))
}
