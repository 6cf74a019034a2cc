import { and, eq, gt, isNull, type SQL } from "drizzle-orm"
import type { LinkPurpose } from "../../../../domain/people/user.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { CredentialReads, Credentials } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { oneTimeLink, user } from "../../schema.ts"

const columns = {
  userId: user.id,
  email: user.email,
  passwordHash: user.passwordHash,
  totpSecret: user.totpSecret,
}

export function credentials(connection: Connection): CredentialReads {
  const { drizzle } = connection
  return {
    async findByEmail(email) {
      return drizzle.select(columns).from(user).where(eq(user.email, email)).get() ?? null
    },
    async findByUserId(userId) {
      return credentialsOf(connection, userId)
    },
    async findByCodeLink(tokenHash, now) {
      return (
        drizzle
          .select(columns)
          .from(oneTimeLink)
          .innerJoin(user, eq(user.id, oneTimeLink.userId))
          .where(linkWorks(tokenHash, "second_factor", now))
          .get() ?? null
      )
    },
  }
}

export function credentialsOf({ drizzle }: Connection, userId: number): Credentials | null {
  return drizzle.select(columns).from(user).where(eq(user.id, userId)).get() ?? null
}

/** Whether a one-time link can be used now: it is unclaimed and has not expired. */
export function linkWorks(tokenHash: string, purpose: LinkPurpose, now: Moment): SQL | undefined {
  return and(
    eq(oneTimeLink.tokenHash, tokenHash),
    eq(oneTimeLink.purpose, purpose),
    isNull(oneTimeLink.claimedAt),
    gt(oneTimeLink.expiresAt, now),
  )
}
