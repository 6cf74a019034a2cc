import type { Moment } from "../../domain/time/moment.ts"
import type { InvitationReads } from "../port/store.ts"
import { all, and, asc, eq, first, gt, type ReadTx, type Steps } from "./step.ts"

export function invitationReads({ query }: Pick<Steps, "query">): InvitationReads {
  return {
    list: (organizationId) =>
      query(({ db, invitation }) => {
        const { id, email, name, role, createdAt, expiresAt } = invitation
        const isOurs = eq(invitation.organizationId, organizationId)
        const columns = { id, email, name, role, createdAt, expiresAt }
        return all(db.select(columns).from(invitation).where(isOurs).orderBy(asc(email)))
      }),
    find: (tokenHash, now) =>
      query(function* (tx) {
        const { db, invitation, organization } = tx
        const { email, name, role } = invitation
        const { id, slug } = organization
        const found = yield* first(
          db
            .select({ email, name, role, organization: { id, slug, name: organization.name } })
            .from(invitation)
            .innerJoin(organization, eq(id, invitation.organizationId))
            .where(invitationWorks(tx, tokenHash, now)),
        )
        return found ?? null
      }),
  }
}

/** Whether it was neither accepted nor withdrawn, and has not expired. */
export function invitationWorks({ invitation }: ReadTx, tokenHash: string, now: Moment) {
  return and(eq(invitation.tokenHash, tokenHash), gt(invitation.expiresAt, now))
}
