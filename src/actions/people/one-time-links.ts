import type { Caller } from "../../domain/callers/fair-queue.ts"
import type { Change } from "../../domain/people/audit.ts"
import {
  FORGOTTEN_LINK_EVERY_MINUTES,
  FORGOTTEN_LINK_MINUTES,
  gainsAccess,
  type LinkPurpose,
  normalEmail,
  PASSWORD_LINK_HOURS,
  SETUP_LINK_MINUTES,
} from "../../domain/people/user.ts"
import { audit } from "../../storage/steps/audit.ts"
import { credentialsByEmail, linkWorks } from "../../storage/steps/sign-in.ts"
import { and, eq, exec, first, gt, inArray, isNull, lt, lte, type Step, type Tx } from "../../storage/steps/step.ts"
import { usersWhere } from "../../storage/steps/users.ts"
import { type Context, query, transact, writesOf } from "../context.ts"
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

type Requested = Readonly<{ waitSeconds: number; letter: () => Promise<MailedLink | null> }>
type MailedLink = Readonly<{ name: string; email: string; path: string }>

/**
 * A link for a user who forgot the password. How long to wait is the same whether or not there is such an account. `letter` makes the
 * link; null where there is no account, or one was mailed just now. Nobody must wait for it: the time it takes would tell which.
 */
export async function requestPasswordLink(context: Context, typed: string, caller: Caller): Promise<Requested> {
  const email = normalEmail(typed)
  const subjects = [`link ${email}`, `link address ${caller.name}`]
  const { waitSeconds } = await writesOf(context).signInThrottle.begin(subjects, context.clock())
  const letter = async () => {
    const account = await query(context, (tx) => credentialsByEmail(tx, email))
    const { path, link } = newLink(context, "password", FORGOTTEN_LINK_MINUTES * MINUTE)
    if (account === null) return null
    const stored = await transact(context, (tx) =>
      addLink(tx, { ...link, userId: account.userId }, { actor: "stranger", at: link.createdAt }),
    )
    return stored === null ? null : { ...stored, path }
  }
  return { waitSeconds, letter }
}

/** Beside those that there are: a stranger who asks for one must not end what an admin sent. Null where there is one of just now. */
export function* addLink(tx: Tx, link: OneTimeLink & { readonly userId: number }, by: Change) {
  const { db, oneTimeLink, user } = tx
  const { userId } = link
  const [person] = yield* usersWhere(tx, eq(user.id, userId))
  const isTheirs = and(eq(oneTimeLink.userId, userId), eq(oneTimeLink.purpose, link.purpose))
  yield* exec(db.delete(oneTimeLink).where(and(isTheirs, lt(oneTimeLink.expiresAt, link.createdAt))))
  const since = link.createdAt - FORGOTTEN_LINK_EVERY_MINUTES * MINUTE
  // Those of admins last longer, and were perhaps never mailed.
  const isMailed = and(isTheirs, lte(oneTimeLink.expiresAt, link.expiresAt))
  const isRecent = and(isMailed, isNull(oneTimeLink.claimedAt), gt(oneTimeLink.createdAt, since))
  const recent = yield* first(db.select({ at: oneTimeLink.createdAt }).from(oneTimeLink).where(isRecent))
  if (person === undefined || recent !== undefined) return null
  yield* exec(db.insert(oneTimeLink).values(link))
  yield* audit(tx, by, { action: "issue password_link", subject: `user:${userId}` })
  return { name: person.name, email: person.email }
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
 * A change of what these people may do. A user who gains access to anything loses open password links: an admin of one organization may hold
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
