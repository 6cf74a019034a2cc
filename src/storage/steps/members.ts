import type { Member, MemberReads } from "../port/store.ts"
import { all, and, asc, eq, type ReadTx, type Step, type Steps } from "./step.ts"

export function memberReads({ query }: Pick<Steps, "query">): MemberReads {
  return {
    list: (organizationId) => query((tx) => membersWhere(tx, eq(tx.membership.organizationId, organizationId))),
    find: (organizationId, userId) => query((tx) => memberOf(tx, organizationId, userId)),
  }
}

export function* memberOf(tx: ReadTx, organizationId: number, userId: number): Step<Member | null> {
  const { membership } = tx
  const isTheOne = and(eq(membership.organizationId, organizationId), eq(membership.userId, userId))
  return (yield* membersWhere(tx, isTheOne))[0] ?? null
}

function* membersWhere({ db, membership, user }: ReadTx, which: ReturnType<typeof and>): Step<Member[]> {
  const { id, email, name, passwordHash } = user
  const rows = yield* all(
    db
      .select({ userId: id, email, name, role: membership.role, passwordHash })
      .from(membership)
      .innerJoin(user, eq(id, membership.userId))
      .where(which)
      .orderBy(asc(name), asc(email)),
  )
  return rows.map(({ passwordHash, ...member }) => ({ ...member, hasPassword: passwordHash !== null }))
}
