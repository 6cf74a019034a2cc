import { and, asc, eq, gt } from "drizzle-orm"
import type { Change } from "../../../../domain/people/audit.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { AcceptOutcome, Invitations, NewAccount } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { invitation, membership, organization, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changingRights } from "./rights.ts"

type Row = typeof invitation.$inferSelect

export function invitations(connection: Connection): Invitations {
  const { drizzle, write } = connection
  return {
    issue: (organizationId, { email, name, role, tokenHash, createdAt, expiresAt }, change) =>
      write.run(() => {
        if (isMember(connection, organizationId, email)) return false
        const values = { name, role, tokenHash, createdAt, expiresAt }
        drizzle
          .insert(invitation)
          .values({ organizationId, email, ...values })
          .onConflictDoUpdate({ target: [invitation.organizationId, invitation.email], set: values })
          .run()
        const what = { action: "invite member", subject: email, organizationId, details: { role } }
        addAuditEntry(connection, change, what)
        return true
      }),
    async list(organizationId) {
      const { id, email, name, role, createdAt, expiresAt } = invitation
      return drizzle
        .select({ id, email, name, role, createdAt, expiresAt })
        .from(invitation)
        .where(eq(invitation.organizationId, organizationId))
        .orderBy(asc(invitation.email))
        .all()
    },
    withdraw: (organizationId, id, change) =>
      write.run(() => {
        const removed = drizzle
          .delete(invitation)
          .where(and(eq(invitation.organizationId, organizationId), eq(invitation.id, id)))
          .returning({ email: invitation.email })
          .get()
        if (removed === undefined) return false
        addAuditEntry(connection, change, { action: "withdraw invitation", subject: removed.email, organizationId })
        return true
      }),
    async find(tokenHash, now) {
      const found = open(connection, tokenHash, now)
      if (found === undefined) return null
      const { organizationId, email, name, role } = found
      const { id, slug, name: called } = organization
      const from = drizzle.select({ id, slug, name: called }).from(organization).where(eq(id, organizationId)).get()
      return from === undefined ? null : { email, name, role, organization: from }
    },
    accept: (tokenHash, userId, change) =>
      write.run(() => {
        const found = open(connection, tokenHash, change.at)
        if (found === undefined) return { outcome: "not found" }
        const person = drizzle.select({ email: user.email }).from(user).where(eq(user.id, userId)).get()
        return person?.email === found.email ? join(connection, found, userId, change) : { outcome: "other address" }
      }),
    acceptAsNew: (tokenHash, account, change) => write.run(() => acceptAsNew(connection, tokenHash, account, change)),
  }
}

function open({ drizzle }: Connection, tokenHash: string, now: Moment): Row | undefined {
  const works = and(eq(invitation.tokenHash, tokenHash), gt(invitation.expiresAt, now))
  return drizzle.select().from(invitation).where(works).get()
}

function isMember({ drizzle }: Connection, organizationId: number, email: string): boolean {
  const here = and(eq(membership.organizationId, organizationId), eq(user.email, email))
  const rows = drizzle.select({ id: user.id }).from(membership).innerJoin(user, eq(user.id, membership.userId))
  return rows.where(here).get() !== undefined
}

function join(connection: Connection, invited: Row, userId: number, change: Change): AcceptOutcome {
  const { drizzle } = connection
  const { id, organizationId, email, role } = invited
  changingRights(connection, userId, () =>
    drizzle.insert(membership).values({ userId, organizationId, role }).onConflictDoNothing().run(),
  )
  drizzle.delete(invitation).where(eq(invitation.id, id)).run()
  const by = { ...change, actor: `user:${userId}` }
  addAuditEntry(connection, by, { action: "accept invitation", subject: email, organizationId, details: { role } })
  return { outcome: "joined", userId }
}

function acceptAsNew(connection: Connection, tokenHash: string, account: NewAccount, change: Change): AcceptOutcome {
  const found = open(connection, tokenHash, change.at)
  if (found === undefined) return { outcome: "not found" }
  const { email } = found
  const values = { ...account, email, createdAt: change.at }
  const made = connection.drizzle.insert(user).values(values).onConflictDoNothing().returning({ id: user.id }).get()
  if (made === undefined) return { outcome: "has account" }
  const by = { ...change, actor: `user:${made.id}` }
  addAuditEntry(connection, by, { action: "create user", subject: email, details: { operator: false } })
  return join(connection, found, made.id, change)
}
