import { eq } from "drizzle-orm"
import { createRecoveryCodes, matchingStep, plainCode } from "../../domain/people/password.ts"
import { normalEmail } from "../../domain/people/person.ts"
import {
  CODE_MINUTES,
  createToken,
  hashToken,
  isUseSaved,
  minutesAfter,
  sessionEnd,
} from "../../domain/people/session.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { Tx } from "../../storage/database.ts"
import {
  addLink,
  addSession,
  type Credentials,
  claimLink,
  claimRecoveryCode,
  claimTimeStep,
  credentialsByEmail,
  credentialsOf,
  deleteLinksOf,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  forgetFailures,
  linkThatWorks,
  setTwoFactor,
} from "../../storage/people/sign-in.ts"
import { userById } from "../../storage/people/users.ts"
import { type Actor, type Context, change } from "../context.ts"
import { countAttempt, isPassword, type Proof, provePassword, type Unproven } from "./passwords.ts"

/** The outcome of a sign-in. The password was right in the last two cases. */
export type SignInOutcome =
  | { readonly outcome: "wrong" | "busy" }
  | { readonly outcome: "wait"; readonly seconds: number }
  | { readonly outcome: "code needed"; readonly codeToken: string }
  | { readonly outcome: "signed in"; readonly token: string }

/** Opens a session. An unknown address, a missing password and a wrong one get the same answer. */
export async function signIn(
  context: Context,
  { email: typed, password }: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<SignInOutcome> {
  const email = normalEmail(typed)
  const subjects = subjectsOf(email, browser)
  // Counted before the slow check, so that attempts side by side are slowed as well.
  const seconds = await countAttempt(context, subjects)
  if (seconds > 0) return { outcome: "wait", seconds }
  const account = await credentialsByEmail(context.database.read, email)
  const isRight = await isPassword(password, account?.passwordHash ?? null)
  if (isRight === "busy") return { outcome: "busy" }
  if (!isRight || account === null) return { outcome: "wrong" }
  return context.database.transact(async (tx) => {
    // The person may have changed the password in the meantime, to keep an intruder out.
    const now = await credentialsOf(tx, account.id)
    if (now?.passwordHash !== account.passwordHash) return { outcome: "wrong" }
    await forgetFailures(tx, subjects)
    if (now.totpSecret !== null) return { outcome: "code needed", codeToken: await askForCode(tx, now, context) }
    return { outcome: "signed in", token: await openSession(tx, account.id, browser, context.clock()) }
  })
}

/** Failures slow down one address, and one account from one address. So a stranger can't lock the owner out. */
function subjectsOf(email: string, { address }: Browser): readonly string[] {
  // People type passwords into the wrong field, so only a hash of the address is stored.
  const account = hashToken(email).slice(0, 24)
  return [`address ${address}`, `account ${account} from ${address}`]
}

/** Only the newest sign-in of a person waits for its code. */
async function askForCode(tx: Tx, { id: userId }: Credentials, { clock }: Context): Promise<string> {
  const createdAt = clock()
  await deleteLinksOf(tx, userId, ["second_factor"])
  return addLink(tx, { purpose: "second_factor", userId, createdAt, expiresAt: minutesAfter(createdAt, CODE_MINUTES) })
}

/** The second step, if two-factor codes are on: a current code, or a recovery code that wasn't used yet. */
export async function signInWithCode(
  context: Context,
  { codeToken, code }: { readonly codeToken: string; readonly code: string },
  browser: Browser,
): Promise<Exclude<SignInOutcome, { outcome: "busy" | "code needed" }> | { readonly outcome: "expired" }> {
  const { database, clock } = context
  const wanted = { tokenHash: hashToken(codeToken), purpose: "second_factor", now: clock() } as const
  const link = await linkThatWorks(database.read, wanted)
  if (link === null || link.userId === null) return { outcome: "expired" }
  const { userId } = link
  const subjects = [`code ${userId}`]
  const seconds = await countAttempt(context, subjects)
  if (seconds > 0) return { outcome: "wait", seconds }
  return database.transact(async (tx) => {
    const now = clock()
    if ((await linkThatWorks(tx, wanted)) === null) return { outcome: "expired" }
    if (!(await claimCode(tx, userId, code, now))) return { outcome: "wrong" }
    await claimLink(tx, wanted)
    await forgetFailures(tx, subjects)
    return { outcome: "signed in", token: await openSession(tx, userId, browser, now) }
  })
}

/** The browser that a person signs in with, for the list of sessions. */
export interface Browser {
  readonly userAgent: string
  readonly address: string
  /** The session that this browser had before. It ends, so that no older token keeps working. */
  readonly previousHash: string | null
}

/** Opens a session with a new token, so that an attacker can't plant one. The token is returned here and never again. */
export async function openSession(tx: Tx, userId: number, browser: Browser, now: Moment): Promise<string> {
  const token = createToken()
  const { userAgent, address, previousHash } = browser
  if (previousHash !== null) await deleteSession(tx, previousHash)
  const session = { tokenHash: hashToken(token), userId, createdAt: now, expiresAt: sessionEnd(now) }
  await addSession(tx, { ...session, userAgent, address })
  return token
}

/** Notes that a session is in use, at most once a minute. */
export async function noteSessionUse(
  { database, clock, log }: Context,
  tokenHash: string,
  lastSeenAt: Moment,
): Promise<void> {
  const now = clock()
  if (isUseSaved(lastSeenAt, now)) return
  try {
    await database.transactBeside(({ db, session }) =>
      db.update(session).set({ lastSeenAt: now }).where(eq(session.tokenHash, tokenHash)),
    )
  } catch (cause) {
    // Pages can be read without it, for example while the disk is full.
    log.error("session use not saved", cause)
  }
}

export const signOut = ({ database }: Context, tokenHash: string): Promise<void> =>
  database.transact((tx) => deleteSession(tx, tokenHash))

/** Ends one of a person's sessions. False if they have no such session. */
export async function endSession(context: Context, userId: number, sessionId: number): Promise<boolean> {
  return change(context, `user:${userId}`, async (tx, audit) => {
    if (!(await deleteSessionOf(tx, userId, sessionId))) return false
    await audit(null, "signed out another browser")
    return true
  })
}

/** Ends all of a person's sessions except the one that asks for it. */
export async function endOtherSessions(context: Context, userId: number, keptHash: string): Promise<void> {
  await change(context, `user:${userId}`, async (tx, audit) => {
    await deleteSessionsOf(tx, userId, keptHash)
    await audit(null, "signed out all other browsers")
  })
}

/**
 * Turns on two-factor codes. Needs the password, so that a stolen session can't lock its owner out, and a code, so that the app
 * is known to work. The recovery codes are returned here and never again.
 */
export async function enableTwoFactor(
  context: Context,
  proof: Proof,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<{ readonly recoveryCodes: readonly string[] } | "wrong code" | Unproven> {
  const proven = await provePassword(context, proof)
  if (proven !== "right") return proven
  return change(context, `user:${proof.userId}`, async (tx, audit, now) => {
    const timeStep = matchingStep(secret, code, now)
    if (timeStep === null) return "wrong code"
    const recoveryCodes = createRecoveryCodes()
    await setTwoFactor(tx, proof.userId, secret, recoveryCodes.map(hashOf))
    // The same code must not work for a sign-in as well.
    await claimTimeStep(tx, proof.userId, timeStep)
    await audit(null, "turned on two-factor codes")
    return { recoveryCodes }
  })
}

/** Turns off two-factor codes. Needs the password. */
export async function disableTwoFactor(context: Context, proof: Proof): Promise<"done" | Unproven> {
  const proven = await provePassword(context, proof)
  if (proven !== "right") return proven
  return change(context, `user:${proof.userId}`, async (tx, audit): Promise<"done"> => {
    await forgetCodes(tx, proof.userId)
    await audit(null, "turned off two-factor codes")
    return "done"
  })
}

/**
 * Turns off two-factor codes for a person who lost the phone and the recovery codes, and signs them out everywhere. The operator
 * must know by other means who is asking. False if the codes are off already.
 */
export async function resetTwoFactor(context: Context, actor: Actor, userId: number): Promise<boolean> {
  return change(context, actor, async (tx, audit) => {
    const user = await userById(tx, userId)
    if (user === null || !user.hasTwoFactor) return false
    await forgetCodes(tx, userId)
    await deleteSessionsOf(tx, userId, null)
    await audit(null, `turned off two-factor codes for ${user.email}`)
    return true
  })
}

async function forgetCodes(tx: Tx, userId: number): Promise<void> {
  await setTwoFactor(tx, userId, null, [])
  // A sign-in that is waiting for a code can no longer get a valid one.
  await deleteLinksOf(tx, userId, ["second_factor"])
}

/** Whether it's a current code, or a recovery code that wasn't used yet. It can't be used again. */
async function claimCode(tx: Tx, userId: number, code: string, now: Moment): Promise<boolean> {
  const secret = (await credentialsOf(tx, userId))?.totpSecret ?? null
  if (secret === null) return false
  const timeStep = matchingStep(secret, code, now)
  if (timeStep !== null) return claimTimeStep(tx, userId, timeStep)
  if (!(await claimRecoveryCode(tx, userId, hashOf(code)))) return false
  const text = "signed in with a recovery code"
  await addAuditEntry(tx, { at: now, actor: `user:${userId}`, organizationId: null, text })
  return true
}

const hashOf = (code: string) => hashToken(plainCode(code))
