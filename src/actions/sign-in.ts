import type { SignInPace } from "../domain/sign-in-pace.ts"
import { hashToken } from "../domain/token.ts"
import { matchingStep } from "../domain/two-factor.ts"
import { normalEmail, SECOND_FACTOR_MINUTES, SESSION_DAYS } from "../domain/user.ts"
import type { Credentials } from "../storage/store.ts"
import type { Context } from "./context.ts"
import { plainCode } from "./enable-two-factor.ts"
import { newToken } from "./new-token.ts"

export interface SignInContext extends Context {
  readonly signInPace: SignInPace
}

export interface Attempt {
  readonly email: string
  readonly password: string
  /** The network address that it comes from. */
  readonly address: string
  /** The hash of a session that ends when this one begins. */
  readonly previousHash: string | null
}

export type SignedInOutcome = { readonly outcome: "signed_in"; readonly token: string }
export type SignInOutcome =
  | SignedInOutcome
  | { readonly outcome: "wrong" }
  | { readonly outcome: "wait"; readonly seconds: number }
  | { readonly outcome: "code_needed"; readonly token: string }

const MINUTE = 60_000_000
const DAY = 24 * 60 * MINUTE

/** Opens a session for the right password. Unknown address, no password yet and wrong password are one answer. */
export async function signIn(context: SignInContext, attempt: Attempt): Promise<SignInOutcome> {
  const { store, clock, signInPace } = context
  const email = normalEmail(attempt.email)
  const subjects = [`account ${email}`, `address ${attempt.address}`]
  const now = clock()
  const seconds = Math.max(...subjects.map((subject) => signInPace.waitSeconds(subject, now)))
  if (seconds > 0) return { outcome: "wait", seconds }
  // Counted before the slow check, so that many attempts at once are slowed as many one after the other are.
  for (const subject of subjects) signInPace.failed(subject, now)
  const known = await store.sessions.credentials(email)
  if (!(await passwordFits(attempt.password, known)) || known === null) return { outcome: "wrong" }
  if (known.totpSecret !== null) return { outcome: "code_needed", token: await askForCode(context, known.userId) }
  for (const subject of subjects) signInPace.succeeded(subject)
  return openSession(context, known.userId, attempt.previousHash)
}

/** The second step, for those who turned codes on: a code of the moment, or an unused recovery code. */
export async function signInWithCode(
  context: SignInContext,
  proof: {
    readonly token: string
    readonly code: string
    readonly address: string
    readonly previousHash: string | null
  },
): Promise<Exclude<SignInOutcome, { outcome: "code_needed" }> | { readonly outcome: "expired" }> {
  const { store, clock, signInPace } = context
  const now = clock()
  const known = await store.linkClaims.secondFactor(hashToken(proof.token), now)
  if (known === null) return { outcome: "expired" }
  const subject = `code ${known.userId}`
  const seconds = signInPace.waitSeconds(subject, now)
  if (seconds > 0) return { outcome: "wait", seconds }
  signInPace.failed(subject, now)
  if (!(await codeFits(context, known, proof.code))) return { outcome: "wrong" }
  signInPace.succeeded(subject)
  signInPace.succeeded(`address ${proof.address}`)
  await store.linkClaims.close(hashToken(proof.token))
  return openSession(context, known.userId, proof.previousHash)
}

/** A session with a fresh token: nobody can prepare one for another person. */
export async function openSession(
  context: Context,
  userId: number,
  previousHash: string | null,
): Promise<SignedInOutcome> {
  const token = newToken(context.random)
  const createdAt = context.clock()
  const expiresAt = createdAt + SESSION_DAYS * DAY
  await context.store.sessions.open({ tokenHash: hashToken(token), userId, createdAt, expiresAt }, previousHash)
  return { outcome: "signed_in", token }
}

export async function codeFits(context: Context, known: Credentials, code: string): Promise<boolean> {
  if (known.totpSecret === null) return false
  const step = matchingStep(known.totpSecret, code, context.clock())
  if (step !== null) return context.store.twoFactor.useStep(known.userId, step)
  const change = { actor: `user:${known.userId}`, at: context.clock() }
  return context.store.twoFactor.useRecoveryCode(known.userId, hashToken(plainCode(code)), change)
}

async function askForCode({ store, clock, random }: Context, userId: number): Promise<string> {
  const token = newToken(random)
  const createdAt = clock()
  const expiresAt = createdAt + SECOND_FACTOR_MINUTES * MINUTE
  await store.oneTimeLinks.issue({
    tokenHash: hashToken(token),
    purpose: "second_factor",
    userId,
    createdAt,
    expiresAt,
  })
  return token
}

let decoy: Promise<string> | undefined

/** Takes as long for an address that has no account, so that time tells nothing either. */
export async function passwordFits(password: string, known: Credentials | null): Promise<boolean> {
  decoy ??= Bun.password.hash(crypto.randomUUID())
  const hash = known?.passwordHash ?? null
  const fits = await Bun.password.verify(password === "" ? " " : password, hash ?? (await decoy))
  return fits && hash !== null && password !== ""
}
