import { eq } from "drizzle-orm"
import type { LinkPurpose } from "../../../../domain/people/user.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { LinkClaims } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { oneTimeLink, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { credentialsOf, linkWorks } from "./credentials.ts"
import { endLinks } from "./one-time-links.ts"
import { replacePassword } from "./passwords.ts"

export function linkClaims(connection: Connection): LinkClaims {
  const { drizzle, write } = connection
  return {
    async find(tokenHash, purpose, now) {
      const row = drizzle
        .select({ userId: oneTimeLink.userId, email: user.email, name: user.name })
        .from(oneTimeLink)
        .leftJoin(user, eq(user.id, oneTimeLink.userId))
        .where(linkWorks(tokenHash, purpose, now))
        .get()
      if (row === undefined) return null
      const { userId: id, email, name } = row
      return { user: id === null || email === null || name === null ? null : { id, email, name } }
    },
    claimSetup: (tokenHash, operator, change) =>
      write.run(() => {
        const taken = drizzle.select({ id: user.id }).from(user).where(eq(user.isOperator, 1)).get()
        if (taken !== undefined || claim(connection, tokenHash, "setup", change.at) === undefined) return null
        const { email, name, passwordHash } = operator
        // An import may have created a user with this email address already. That user becomes the operator.
        const { id } = drizzle
          .insert(user)
          .values({ email, name, isOperator: 1, createdAt: change.at })
          .onConflictDoUpdate({ target: user.email, set: { isOperator: 1 } })
          .returning({ id: user.id })
          .get()
        replacePassword(connection, id, passwordHash)
        addAuditEntry(connection, change, { action: "create operator", subject: operator.email })
        return { userId: id }
      }),
    claimPassword: (tokenHash, passwordHash, change) =>
      write.run(() => {
        const claimed = claim(connection, tokenHash, "password", change.at)
        if (claimed === undefined || claimed.userId === null) return null
        const { userId } = claimed
        replacePassword(connection, userId, passwordHash)
        addAuditEntry(
          connection,
          { ...change, actor: `user:${userId}` },
          { action: "set password", subject: `user:${userId}` },
        )
        return { userId, hasTotp: (credentialsOf(connection, userId)?.totpSecret ?? null) !== null }
      }),
    askForCode: (link, { userId, passwordHash }) =>
      write.run(() => {
        if (credentialsOf(connection, userId)?.passwordHash !== passwordHash) return false
        // Of each user only the newest sign-in waits for its code.
        endLinks(connection, userId, ["second_factor"])
        drizzle
          .insert(oneTimeLink)
          .values({ ...link, purpose: "second_factor", userId })
          .run()
        return true
      }),
    close: (tokenHash) =>
      write.run(() => void drizzle.delete(oneTimeLink).where(eq(oneTimeLink.tokenHash, tokenHash)).run()),
  }
}

/** Call it inside a transaction, so that only one of two simultaneous claims succeeds. */
function claim({ drizzle }: Connection, tokenHash: string, purpose: LinkPurpose, at: Moment) {
  return drizzle
    .update(oneTimeLink)
    .set({ claimedAt: at })
    .where(linkWorks(tokenHash, purpose, at))
    .returning({ userId: oneTimeLink.userId })
    .get()
}
