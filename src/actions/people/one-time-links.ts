import type { Change } from "../../domain/people/audit.ts"
import { gainsAccess, type LinkPurpose, PASSWORD_LINK_HOURS, SETUP_LINK_MINUTES } from "../../domain/people/user.ts"
import { audit } from "../../storage/steps/audit.ts"
import { linkWorks } from "../../storage/steps/sign-in.ts"
import { and, eq, exec, first, inArray, isNull, type Step, type Tx } from "../../storage/steps/step.ts"
import { usersWhere } from "../../storage/steps/users.ts"
import { type Context, transact } from "../context.ts"
import { newToken } from "../new-id.ts"

// What ends a link, all of it below: it is used (`claimLink`), a newer one takes its place (`storeLink`), its owner gets another password
// or signs out everywhere (`endLinks`) or gains rights (`changingRights`). Besides, it expires (`linkWorks`), and goes with its account.
// Each sign-in that waits for its code has one as well (`sign-in.ts`); invitations are links for an address (`invitations.ts`).

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

export const newPasswordLink = (context: Context) => newLink(context, "password", PASSWORD_LINK_HOURS * 60 * MINUTE)

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

/** Uses a link, which then has ended. Undefined when it does not work. */
export function* claimLink(tx: Tx, tokenHash: string, purpose: LinkPurpose, { at }: Change) {
  const { db, oneTimeLink } = tx
  const works = linkWorks(tx, tokenHash, purpose, at)
  const claiming = db.update(oneTimeLink).set({ claimedAt: at }).where(works)
  return yield* first(claiming.returning({ userId: oneTimeLink.userId }))
}

export function* endLinks({ db, oneTimeLink }: Tx, userId: number, purposes: readonly LinkPurpose[]): Step<void> {
  const isUnclaimed = and(inArray(oneTimeLink.purpose, [...purposes]), isNull(oneTimeLink.claimedAt))
  yield* exec(db.delete(oneTimeLink).where(and(eq(oneTimeLink.userId, userId), isUnclaimed)))
}

/**
 * A change of what these people may do. Whoever gains access to anything loses open password links: an admin of one organization may hold
 * such a link, which must not open more than that organization.
 */
export function* changingRights<Result>(tx: Tx, whose: Parameters<typeof usersWhere>[1], edit: Step<Result>) {
  const before = yield* usersWhere(tx, whose)
  const result = yield* edit
  const after = new Map((yield* usersWhere(tx, whose)).map((person) => [person.id, person]))
  for (const person of before)
    if (gainsAccess(person, after.get(person.id) ?? person)) yield* endLinks(tx, person.id, ["password"])
  return result
}
