import { normalEmail } from "../../domain/people/person.ts"
import { CODE_MINUTES, createToken, hashToken, minutesAfter } from "../../domain/people/session.ts"
import type { Tx } from "../../storage/database.ts"
import {
  addLink,
  type Credentials,
  claimLink,
  credentialsByEmail,
  credentialsOf,
  deleteExpiredLinks,
  deleteLinksOf,
  forgetFailures,
  linkThatWorks,
} from "../../storage/people/sign-in.ts"
import type { Context } from "../context.ts"
import { countAttempt, isPassword } from "./passwords.ts"
import { type Browser, openSession } from "./sessions.ts"
import { claimCode } from "./two-factor.ts"

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
    const now = await credentialsOf(tx, account.userId)
    if (now?.passwordHash !== account.passwordHash) return { outcome: "wrong" }
    await forgetFailures(tx, subjects)
    if (now.totpSecret !== null) return { outcome: "code needed", codeToken: await askForCode(tx, now, context) }
    return { outcome: "signed in", token: await openSession(tx, account.userId, browser, context.clock()) }
  })
}

/** Failures slow down one address, and one account from one address. So a stranger can't lock the owner out. */
function subjectsOf(email: string, { address }: Browser): readonly string[] {
  // People type passwords into the wrong field, so only a hash of the address is stored.
  const account = hashToken(email).slice(0, 24)
  return [`address ${address}`, `account ${account} from ${address}`]
}

/** Only the newest sign-in of a person waits for its code. */
async function askForCode(tx: Tx, { userId }: Credentials, { clock }: Context): Promise<string> {
  const token = createToken()
  const createdAt = clock()
  await deleteExpiredLinks(tx, createdAt)
  await deleteLinksOf(tx, userId, ["second_factor"])
  const expiresAt = minutesAfter(createdAt, CODE_MINUTES)
  await addLink(tx, { tokenHash: hashToken(token), purpose: "second_factor", userId, createdAt, expiresAt })
  return token
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
