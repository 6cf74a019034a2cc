import { and, eq, gt, isNull, type SQL } from "drizzle-orm"
import type { LinkPurpose } from "../../../../domain/people/user.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { CredentialReads, Credentials } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { isStorable } from "../../engine/storable.ts"
import { oneTimeLink, user } from "../../schema.ts"

const columns = {
  userId: user.id,
  email: user.email,
  passwordHash: user.passwordHash,
  totpSecret: user.totpSecret,
}

export function credentials({ read }: Connection): CredentialReads {
  return {
    async findByEmail(email) {
      if (!isStorable(email)) return null
      const [found] = await read(({ drizzle }) => drizzle.select(columns).from(user).where(eq(user.email, email)))
      return found ?? null
    },
    findByUserId: (userId) => read((session) => credentialsOf(session, userId)),
    async findByCodeLink(tokenHash, now) {
      const [found] = await read(({ drizzle }) =>
        drizzle
          .select(columns)
          .from(oneTimeLink)
          .innerJoin(user, eq(user.id, oneTimeLink.userId))
          .where(linkWorks(tokenHash, "second_factor", now)),
      )
      return found ?? null
    },
  }
}

export async function credentialsOf({ drizzle }: Session, userId: number): Promise<Credentials | null> {
  const [found] = await drizzle.select(columns).from(user).where(eq(user.id, userId))
  return found ?? null
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
