import { eq } from "drizzle-orm"
import type { LinkPurpose } from "../../../../domain/people/user.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { LinkClaims } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { oneTimeLink, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changePeople } from "./change-people.ts"
import { credentialsOf, linkWorks } from "./credentials.ts"
import { endLinks } from "./one-time-links.ts"
import { replacePassword } from "./passwords.ts"
import { anOperator } from "./users.ts"

export function linkClaims(connection: Connection): LinkClaims {
  return {
    async find(tokenHash, purpose, now) {
      const [row] = await connection.read(({ drizzle }) =>
        drizzle
          .select({ userId: oneTimeLink.userId, email: user.email, name: user.name })
          .from(oneTimeLink)
          .leftJoin(user, eq(user.id, oneTimeLink.userId))
          .where(linkWorks(tokenHash, purpose, now)),
      )
      if (row === undefined) return null
      const { userId: id, email, name } = row
      return { user: id === null || email === null || name === null ? null : { id, email, name } }
    },
    claimSetup: (tokenHash, operator, by) =>
      changePeople(connection, async (transaction) => {
        if ((await anOperator(transaction)) !== undefined) return null
        if ((await claim(transaction, tokenHash, "setup", by.at)) === undefined) return null
        const { email, name, passwordHash } = operator
        // An import may have created a user with this email address already. That user becomes the operator.
        const [made] = await transaction.drizzle
          .insert(user)
          .values({ email, name, isOperator: 1, createdAt: by.at })
          .onConflictDoUpdate({ target: user.email, set: { isOperator: 1 } })
          .returning({ userId: user.id })
        if (made === undefined) throw new Error("the first operator was not created")
        await replacePassword(transaction, made.userId, passwordHash)
        await addAuditEntry(transaction, by, { action: "create operator", subject: email })
        return made
      }),
    claimPassword: (tokenHash, passwordHash, by) =>
      changePeople(connection, async (transaction) => {
        const userId = (await claim(transaction, tokenHash, "password", by.at))?.userId ?? null
        if (userId === null) return null
        await replacePassword(transaction, userId, passwordHash)
        const actor = `user:${userId}`
        await addAuditEntry(transaction, { ...by, actor }, { action: "set password", subject: actor })
        return { userId, hasTotp: ((await credentialsOf(transaction, userId))?.totpSecret ?? null) !== null }
      }),
    askForCode: (link, { userId, passwordHash }) =>
      changePeople(connection, async (transaction) => {
        if ((await credentialsOf(transaction, userId))?.passwordHash !== passwordHash) return false
        // Of each user only the newest sign-in waits for its code.
        await endLinks(transaction, userId, ["second_factor"])
        await transaction.drizzle.insert(oneTimeLink).values({ ...link, purpose: "second_factor", userId })
        return true
      }),
    close: (tokenHash) =>
      changePeople(connection, async ({ drizzle }) => {
        await drizzle.delete(oneTimeLink).where(eq(oneTimeLink.tokenHash, tokenHash))
      }),
  }
}

async function claim({ drizzle }: Session, tokenHash: string, purpose: LinkPurpose, at: Moment) {
  const [claimed] = await drizzle
    .update(oneTimeLink)
    .set({ claimedAt: at })
    .where(linkWorks(tokenHash, purpose, at))
    .returning({ userId: oneTimeLink.userId })
  return claimed
}
