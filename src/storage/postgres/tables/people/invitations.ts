import { and, asc, eq, gt, type SQL } from "drizzle-orm"
import type { Change } from "../../../../domain/people/audit.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { AcceptOutcome, Invitations, NewAccount } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { invitation, membership, organization, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changePeople } from "./change-people.ts"
import { credentialsOf } from "./credentials.ts"
import { changingRights } from "./rights.ts"

export function invitations(connection: Connection): Invitations {
  const { read } = connection
  return {
    issue: (organizationId, { email, name, role, tokenHash, createdAt, expiresAt }, by) =>
      changePeople(connection, async (transaction) => {
        if (await isMember(transaction, organizationId, email)) return false
        const values = { name, role, tokenHash, createdAt, expiresAt }
        await transaction.drizzle
          .insert(invitation)
          .values({ organizationId, email, ...values })
          .onConflictDoUpdate({ target: [invitation.organizationId, invitation.email], set: values })
        const what = { action: "invite member", subject: email, organizationId, details: { role } }
        await addAuditEntry(transaction, by, what)
        return true
      }),
    list(organizationId) {
      const { id, email, name, role, createdAt, expiresAt } = invitation
      return read(({ drizzle }) =>
        drizzle
          .select({ id, email, name, role, createdAt, expiresAt })
          .from(invitation)
          .where(eq(invitation.organizationId, organizationId))
          .orderBy(asc(email)),
      )
    },
    withdraw: (organizationId, id, by) =>
      changePeople(connection, async (transaction) => {
        const [removed] = await transaction.drizzle
          .delete(invitation)
          .where(and(eq(invitation.organizationId, organizationId), eq(invitation.id, id)))
          .returning({ email: invitation.email })
        if (removed === undefined) return false
        const what = { action: "withdraw invitation", subject: removed.email, organizationId }
        await addAuditEntry(transaction, by, what)
        return true
      }),
    async find(tokenHash, now) {
      const { email, name, role } = invitation
      const { id, slug, name: called } = organization
      const [found] = await read(({ drizzle }) =>
        drizzle
          .select({ email, name, role, organization: { id, slug, name: called } })
          .from(invitation)
          .innerJoin(organization, eq(id, invitation.organizationId))
          .where(works(tokenHash, now)),
      )
      return found ?? null
    },
    accept: (tokenHash, userId, by) =>
      changePeople(connection, async (transaction) => {
        const found = await open(transaction, tokenHash, by.at)
        if (found === undefined) return { outcome: "not found" }
        const person = await credentialsOf(transaction, userId)
        return person?.email === found.email ? join(transaction, found, userId, by) : { outcome: "other address" }
      }),
    acceptAsNew: (tokenHash, account, by) =>
      changePeople(connection, (transaction) => acceptAsNew(transaction, tokenHash, account, by)),
  }
}

type Row = typeof invitation.$inferSelect

function works(tokenHash: string, now: Moment): SQL | undefined {
  return and(eq(invitation.tokenHash, tokenHash), gt(invitation.expiresAt, now))
}

async function open({ drizzle }: Session, tokenHash: string, now: Moment): Promise<Row | undefined> {
  const [found] = await drizzle.select().from(invitation).where(works(tokenHash, now))
  return found
}

async function isMember({ drizzle }: Session, organizationId: number, email: string): Promise<boolean> {
  const here = and(eq(membership.organizationId, organizationId), eq(user.email, email))
  const members = drizzle.select({ id: user.id }).from(membership).innerJoin(user, eq(user.id, membership.userId))
  return (await members.where(here)).length > 0
}

async function join(transaction: Session, invited: Row, userId: number, by: Change): Promise<AcceptOutcome> {
  const { drizzle } = transaction
  const { id, organizationId, email, role } = invited
  await changingRights(transaction, userId, () =>
    drizzle.insert(membership).values({ userId, organizationId, role }).onConflictDoNothing(),
  )
  await drizzle.delete(invitation).where(eq(invitation.id, id))
  const what = { action: "accept invitation", subject: email, organizationId, details: { role } }
  await addAuditEntry(transaction, { ...by, actor: `user:${userId}` }, what)
  return { outcome: "joined", userId }
}

async function acceptAsNew(
  transaction: Session,
  tokenHash: string,
  account: NewAccount,
  by: Change,
): Promise<AcceptOutcome> {
  const found = await open(transaction, tokenHash, by.at)
  if (found === undefined) return { outcome: "not found" }
  const { email } = found
  const values = { ...account, email, createdAt: by.at }
  const inserting = transaction.drizzle.insert(user).values(values).onConflictDoNothing({ target: user.email })
  const [made] = await inserting.returning({ id: user.id })
  if (made === undefined) return { outcome: "has account" }
  const what = { action: "create user", subject: email, details: { operator: false } }
  await addAuditEntry(transaction, { ...by, actor: `user:${made.id}` }, what)
  return join(transaction, found, made.id, by)
}
