import type { Caller } from "../../domain/callers/fair-queue.ts"
import { hashToken } from "../../domain/keys/api-key.ts"
import { anyBrowserOf, browserOf, withMark } from "../../domain/people/sign-in.ts"
import { normalEmail, SECOND_FACTOR_MINUTES } from "../../domain/people/user.ts"
import type { SessionRecord } from "../../storage/port/store.ts"
import type { Credentials } from "../../storage/steps/sign-in.ts"
import { credentialsByCodeLink, credentialsByEmail, credentialsOf } from "../../storage/steps/sign-in.ts"
import { eq, exec, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, query, transact, writesOf } from "../context.ts"
import { newToken } from "../new-id.ts"
import { ownSecret } from "../settings.ts"
import { checkPassword } from "./hash-password.ts"
import { endLinks, type OneTimeLink } from "./one-time-links.ts"
import { newSession, type SignedInOutcome, storeSession } from "./sessions.ts"
import { useCode } from "./two-factor.ts"

interface Attempt {
  readonly email: string
  readonly password: string
  readonly caller: Caller
  /** The marks of people who have signed in with this browser. */
  readonly browser: string
  /** The session that ends when the new one begins. */
  readonly previousHash: string | null
}

export type SignInOutcome =
  | SignedInOutcome
  | { readonly outcome: "wrong" }
  | { readonly outcome: "wait"; readonly seconds: number }
  /** Too many sign-ins at the moment; the password was not checked. */
  | { readonly outcome: "busy" }
  | { readonly outcome: "code_needed"; readonly token: string }

const MINUTE = 60_000_000

/** Opens a session. An unknown address, a missing password and a wrong one get the same answer. */
export async function signIn(context: Context, attempt: Attempt): Promise<SignInOutcome> {
  const { signInThrottle } = writesOf(context)
  const email = normalEmail(attempt.email)
  const account = await query(context, (tx) => credentialsByEmail(tx, email))
  const browserSubjects = await subjectsOf(context, attempt, account)
  const subjects = browserSubjects ?? strangersSubjects(email, attempt.caller)
  // Counted before the slow check, so that parallel attempts are throttled like sequential ones.
  const { waitSeconds: seconds, counted } = await signInThrottle.begin(subjects, context.clock())
  if (seconds > 0) return { outcome: "wait", seconds }
  const caller = { ...attempt.caller, isKnown: browserSubjects !== null }
  const check = await checkPassword(attempt.password, account?.passwordHash ?? null, caller)
  if (check === "busy") await signInThrottle.takeBack(counted)
  if (check !== "right" || account === null) return { outcome: check === "busy" ? "busy" : "wrong" }
  if (account.totpSecret !== null) {
    // Neither a failure nor a success yet: codes are throttled separately, and earlier wrong passwords still count.
    await signInThrottle.takeBack(counted)
    const token = await askForCode(context, account)
    return token === null ? { outcome: "wrong" } : { outcome: "code_needed", token }
  }
  const { userId, passwordHash } = account
  const { session, token } = newSession(context, userId, attempt.caller)
  const { previousHash } = attempt
  // Unless the password was changed meanwhile.
  const isStored = await transact(context, (tx) => storeSession(tx, session, { previousHash, passwordHash }))
  if (!isStored) return { outcome: "wrong" }
  await signInThrottle.succeeded(subjects)
  return { outcome: "signed_in", token, userId }
}

/**
 * By what the failures of a browser are counted in which this person has signed in before: by itself, so that strangers' failures do not
 * keep them waiting, and theirs are slowed all the same. Null for any other browser.
 */
async function subjectsOf(context: Context, { browser: marks }: Pick<Attempt, "browser">, account: Credentials | null) {
  if (account === null || marks === "") return null
  const browser = browserOf(marks, account.userId, await ownSecret(context, "browser_secret"))
  return browser === null ? null : [`browser ${browser}`]
}

const strangersSubjects = (email: string, { name }: Caller) => [`account ${email}`, `address ${name}`]

type CodeProof = Pick<Attempt, "caller" | "browser" | "previousHash"> & Readonly<{ token: string; code: string }>

/** The second step, with two-factor codes on: a current code or an unused recovery code. */
export async function signInWithCode(
  context: Context,
  proof: CodeProof,
): Promise<Exclude<SignInOutcome, { outcome: "code_needed" | "busy" }> | { readonly outcome: "expired" }> {
  const { signInThrottle } = writesOf(context)
  const now = context.clock()
  const account = await query(context, (tx) => credentialsByCodeLink(tx, hashToken(proof.token), now))
  if (account === null) return { outcome: "expired" }
  const browserSubjects = await subjectsOf(context, proof, account)
  const subject = browserSubjects === null ? `code ${account.userId}` : `code ${browserSubjects[0]}`
  const { waitSeconds: seconds } = await signInThrottle.begin([subject], now)
  if (seconds > 0) return { outcome: "wait", seconds }
  const { session, token } = newSession(context, account.userId, proof.caller)
  const outcome = await transact(context, (tx) => openWithCode(tx, proof, session))
  if (outcome !== "signed_in") return { outcome }
  await signInThrottle.succeeded([subject, ...(browserSubjects ?? strangersSubjects(account.email, proof.caller))])
  return { outcome, token, userId: account.userId }
}

/** Uses the code and the link that waits for it up, and opens the session: all of it or nothing. */
function* openWithCode(tx: Tx, { token, code, previousHash }: CodeProof, session: SessionRecord) {
  const account = yield* credentialsByCodeLink(tx, hashToken(token), session.createdAt)
  if (account === null) return "expired"
  if (!(yield* useCode(tx, account, code, session.createdAt))) return "wrong"
  yield* closeLink(tx, hashToken(token))
  yield* storeSession(tx, session, { previousHash })
  return "signed_in"
}

/** Null when the password was changed meanwhile. */
async function askForCode(context: Context, account: Credentials): Promise<string | null> {
  const { token, stored } = newToken(context, SECOND_FACTOR_MINUTES * MINUTE)
  return (await transact(context, (tx) => storeCodeLink(tx, stored, account))) ? token : null
}

/** Of each user only the newest sign-in waits for its code. False when the password has changed since it was checked. */
export function* storeCodeLink(
  tx: Tx,
  link: Pick<OneTimeLink, "tokenHash" | "createdAt" | "expiresAt">,
  { userId, passwordHash }: Pick<Credentials, "userId" | "passwordHash">,
): Step<boolean> {
  if ((yield* credentialsOf(tx, userId))?.passwordHash !== passwordHash) return false
  yield* endLinks(tx, userId, ["second_factor"])
  yield* exec(tx.db.insert(tx.oneTimeLink).values({ ...link, purpose: "second_factor", userId }))
  return true
}

export const closeLink = ({ db, oneTimeLink }: Tx, tokenHash: string) =>
  exec(db.delete(oneTimeLink).where(eq(oneTimeLink.tokenHash, tokenHash)))

const BROWSER_BYTES = 12

/** The id of a browser in which anybody has signed in before; null for any other. */
export const knownBrowser = async (context: Context, marks: string): Promise<string | null> =>
  marks === "" ? null : anyBrowserOf(marks, await ownSecret(context, "browser_secret"))

/** The marks of a browser in which this person has just signed in. */
export async function rememberBrowser(context: Context, userId: number, marks: string): Promise<string> {
  const secret = await ownSecret(context, "browser_secret")
  const browser = browserOf(marks, userId, secret) ?? context.random(BROWSER_BYTES).toHex()
  return withMark(marks, { userId, browser }, secret)
}
