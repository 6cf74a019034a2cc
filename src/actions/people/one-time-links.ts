import type { Change } from "../../domain/people/audit.ts"
import { type LinkPurpose, PASSWORD_LINK_HOURS, SETUP_LINK_MINUTES } from "../../domain/people/user.ts"
import { audit } from "../../storage/steps/audit.ts"
import { and, eq, exec, first, isNull, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { newToken } from "../new-token.ts"

const MINUTE = 60_000_000

/** The path of a one-time link to create the first operator. Null once there is an operator. */
export async function issueSetupLink(context: Context): Promise<string | null> {
  if (await context.store.users.hasOperator()) return null
  const { path, link } = newLink(context, "setup", SETUP_LINK_MINUTES * MINUTE)
  await transact(context, (tx) => storeLink(tx, { ...link, userId: null }, { actor: "setup", at: link.createdAt }))
  return path
}

/** The path of a one-time link to set a password. */
export async function issuePasswordLink(context: Context, userId: number, actor: string): Promise<string> {
  const { path, link } = newPasswordLink(context)
  await transact(context, (tx) => storeLink(tx, { ...link, userId }, { actor, at: link.createdAt }))
  return path
}

/** Without a user it creates the first operator. */
export type OneTimeLink = Tx["oneTimeLink"]["$inferInsert"]

export function newPasswordLink(context: Context) {
  return newLink(context, "password", PASSWORD_LINK_HOURS * 60 * MINUTE)
}

function newLink(context: Context, purpose: LinkPurpose, lasts: number) {
  const { token, stored } = newToken(context, lasts)
  return { path: `/app/${purpose}/${token}`, link: { ...stored, purpose } }
}

/** Stores a new link. Earlier unclaimed links for the same purpose and user stop working. */
export function* storeLink(tx: Tx, link: OneTimeLink, by: Change): Step<void> {
  const { db, oneTimeLink, user } = tx
  const { userId = null, purpose } = link
  if (userId !== null) {
    const person = yield* first(db.select({ id: user.id }).from(user).where(eq(user.id, userId)))
    // The user was deleted meanwhile: the link does not work, like an expired one.
    if (person === undefined) return
  }
  const samePerson = userId === null ? isNull(oneTimeLink.userId) : eq(oneTimeLink.userId, userId)
  const isEarlier = and(eq(oneTimeLink.purpose, purpose), samePerson, isNull(oneTimeLink.claimedAt))
  yield* exec(db.delete(oneTimeLink).where(isEarlier))
  yield* exec(db.insert(oneTimeLink).values(link))
  const subject = userId === null ? "the first operator" : `user:${userId}`
  yield* audit(tx, by, { action: `issue ${purpose}_link`, subject })
}
