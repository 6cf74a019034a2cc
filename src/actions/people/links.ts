import { normalEmail, storedName } from "../../domain/people/person.ts"
import {
  daysAfter,
  FORGOTTEN_LINK_EVERY_MINUTES,
  FORGOTTEN_LINK_MINUTES,
  hashToken,
  LINK_DAYS,
  minutesAfter,
  SETUP_LINK_MINUTES,
} from "../../domain/people/session.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { Tx } from "../../storage/database.ts"
import { addLink, claimLink, deleteLinksOf, hasRecentLink, setPassword } from "../../storage/people/sign-in.ts"
import {
  addUser,
  hasOperator,
  setOperator,
  setUserName,
  type User,
  userByEmail,
  userById,
} from "../../storage/people/users.ts"
import { type Actor, type Context, change } from "../context.ts"
import { publicUrl, sendLetter } from "../mail.ts"
import { countAttemptIn, hashPassword } from "./passwords.ts"
import { type Browser, openSession } from "./sign-in.ts"

/**
 * The path of a link that makes the first operator. Null once there is one. Earlier links keep working until then, so that the one
 * that the server printed isn't ended by a command.
 */
export async function issueSetupLink(context: Context): Promise<string | null> {
  return change(context, "setup", async (tx, audit, at) => {
    if (await hasOperator(tx)) return null
    const expiresAt = minutesAfter(at, SETUP_LINK_MINUTES)
    const token = await addLink(tx, { purpose: "setup", userId: null, createdAt: at, expiresAt })
    await audit(null, "created a set-up link for the first operator")
    return `/app/setup/${token}`
  })
}

/** The outcome of using a link. With two-factor codes on, the person still has to sign in. */
export type Claimed = { readonly token: string } | "sign in" | "busy" | "gone"

interface NewOperator {
  readonly email: string
  readonly name: string
  readonly password: string
}

/** Uses a set-up link: creates the first operator and signs them in. */
export async function claimSetupLink(
  context: Context,
  linkToken: string,
  operator: NewOperator,
  browser: Browser,
): Promise<Claimed> {
  const passwordHash = await hashPassword(operator.password)
  if (passwordHash === "busy") return "busy"
  return change(context, "setup", async (tx, audit, now) => {
    const link = { tokenHash: hashToken(linkToken), purpose: "setup", now } as const
    if ((await hasOperator(tx)) || (await claimLink(tx, link)) === null) return "gone"
    const userId = await makeOperator(tx, operator, now)
    await setPassword(tx, userId, passwordHash)
    await audit(null, `created the first operator, ${normalEmail(operator.email)}`)
    return { token: await openSession(tx, userId, browser, now) }
  })
}

/** An import may have created the account already. */
async function makeOperator(tx: Tx, { email: typed, name: typedName }: NewOperator, now: Moment): Promise<number> {
  const [email, name] = [normalEmail(typed), storedName(typedName)]
  const user = await userByEmail(tx, email)
  if (user === null) return addUser(tx, { email, name, isOperator: true, passwordHash: null, createdAt: now })
  await setOperator(tx, user.id, true)
  await setUserName(tx, user.id, name)
  return user.id
}

/** Stores a link that sets a password, and returns its path. The person's earlier links stop working. */
export async function addPasswordLink(tx: Tx, userId: number, now: Moment): Promise<string> {
  await deleteLinksOf(tx, userId, ["password"])
  const expiresAt = daysAfter(now, LINK_DAYS)
  const token = await addLink(tx, { purpose: "password", userId, createdAt: now, expiresAt })
  return `/app/password/${token}`
}

/** The path of a link that sets a new password, made by the operator. Null if the account doesn't exist. */
export async function issuePasswordLink(context: Context, actor: Actor, userId: number): Promise<string | null> {
  return change(context, actor, async (tx, audit, at) => {
    const user = await userById(tx, userId)
    if (user === null) return null
    await audit(null, `created a password link for ${user.email}`)
    return addPasswordLink(tx, userId, at)
  })
}

/** Uses a password link: sets the password, ends all earlier sessions, and signs the person in. */
export async function claimPasswordLink(
  { database, clock }: Context,
  linkToken: string,
  password: string,
  browser: Browser,
): Promise<Claimed> {
  const passwordHash = await hashPassword(password)
  if (passwordHash === "busy") return "busy"
  return database.transact(async (tx) => {
    const now = clock()
    const link = await claimLink(tx, { tokenHash: hashToken(linkToken), purpose: "password", now })
    const user = link?.userId == null ? null : await userById(tx, link.userId)
    if (user === null) return "gone"
    await setPassword(tx, user.id, passwordHash)
    const text = "set their password with a link"
    await addAuditEntry(tx, { at: now, actor: `user:${user.id}`, organizationId: null, text })
    return user.hasTwoFactor ? "sign in" : { token: await openSession(tx, user.id, browser, now) }
  })
}

/**
 * Mails a link to a person who forgot the password. Returns the same whether or not the account exists: how many seconds
 * to wait, or 0. Both take one transaction, and the answer doesn't wait for the mail, so that its timing reveals nothing either.
 */
export async function requestPasswordLink(context: Context, typed: string, address: string): Promise<number> {
  const { database, clock, log } = context
  const email = normalEmail(typed)
  const subjects = [`forgotten at ${address}`, `forgotten ${hashToken(email).slice(0, 24)} from ${address}`]
  const { wait, link } = await database.transact(async (tx) => {
    const now = clock()
    const wait = await countAttemptIn(tx, subjects, now)
    return { wait, link: wait > 0 ? null : await addForgottenLink(tx, email, now) }
  })
  if (link !== null) {
    const letter = forgottenLetter(link.user, `${publicUrl(context)}/app/password/${link.token}`)
    sendLetter(context, letter).catch((cause) => log.error("password link not mailed", cause))
  }
  return wait
}

const forgottenLetter = ({ email, name }: User, address: string) => ({
  to: email,
  subject: "Adbooth: choose a new password",
  text: [
    `Hello ${name},`,
    "Use this link to choose a new password:",
    address,
    `It works once, within ${FORGOTTEN_LINK_MINUTES} minutes. If you didn’t ask for it, ignore this message. Your password hasn’t changed.\n`,
  ].join("\n\n"),
})

/** Adds a link and keeps earlier ones, because a stranger's request must not end a link that the operator sent. */
async function addForgottenLink(tx: Tx, email: string, now: Moment) {
  const user = await userByEmail(tx, email)
  if (user === null) return null
  const expiresAt = minutesAfter(now, FORGOTTEN_LINK_MINUTES)
  if (await hasRecentLink(tx, user.id, minutesAfter(now, -FORGOTTEN_LINK_EVERY_MINUTES), expiresAt)) return null
  const token = await addLink(tx, { purpose: "password", userId: user.id, createdAt: now, expiresAt })
  const text = `asked for a password link for ${user.email}`
  await addAuditEntry(tx, { at: now, actor: "link", organizationId: null, text })
  return { user, token }
}
