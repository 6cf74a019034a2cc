import { hashToken } from "../../domain/keys/token.ts"
import type { Change } from "../../domain/people/audit.ts"
import { type LinkPurpose, PASSWORD_LINK_HOURS, SETUP_LINK_MINUTES } from "../../domain/people/user.ts"
import type { OneTimeLink } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { and, eq, exec, first, inArray, isNull, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { newToken } from "../new-token.ts"

const MINUTE = 60_000_000

/** The path of a one-time link to create the first operator. Null once there is an operator. */
export async function issueSetupLink(context: Context): Promise<string | null> {
  if (await context.store.users.hasOperator()) return null
  const { path, link } = newLink(context, "setup", null, SETUP_LINK_MINUTES * MINUTE)
  await transact(context, (tx) => storeLink(tx, link, { actor: "setup", at: link.createdAt }))
  return path
}

/** The path of a one-time link to set a password. */
export async function issuePasswordLink(context: Context, userId: number, actor: string): Promise<string> {
  const { path, link } = newPasswordLink(context, userId)
  await transact(context, (tx) => storeLink(tx, link, { actor, at: link.createdAt }))
  return path
}

export interface NewLink {
  readonly path: string
  readonly link: OneTimeLink
}

export function newPasswordLink(context: Context, userId: number): NewLink {
  return newLink(context, "password", userId, PASSWORD_LINK_HOURS * 60 * MINUTE)
}

function newLink({ clock, random }: Context, purpose: LinkPurpose, userId: number | null, lasts: number): NewLink {
  const token = newToken(random)
  const createdAt = clock()
  const link = { tokenHash: hashToken(token), purpose, userId, createdAt, expiresAt: createdAt + lasts }
  return { path: `/app/${purpose}/${token}`, link }
}

/** Stores a new link. Earlier unclaimed links for the same purpose and user stop working. */
export function* storeLink(tx: Tx, link: OneTimeLink, by: Change): Step<void> {
  const { db, oneTimeLink, user } = tx
  const { userId, purpose } = link
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

/** Deletes the unclaimed links of a user. */
export function* endLinks({ db, oneTimeLink }: Tx, userId: number, purposes: readonly LinkPurpose[]): Step<void> {
  const isOpen = and(inArray(oneTimeLink.purpose, [...purposes]), isNull(oneTimeLink.claimedAt))
  yield* exec(db.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), isOpen)))
}
