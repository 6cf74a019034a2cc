import type { Caller } from "../../domain/callers/fair-queue.ts"
import { hashToken } from "../../domain/keys/api-key.ts"
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../domain/limits.ts"
import type { Change } from "../../domain/people/audit.ts"
import { normalEmail } from "../../domain/people/user.ts"
import { audit } from "../../storage/steps/audit.ts"
import { credentialsOf } from "../../storage/steps/sign-in.ts"
import { eq, exec, first, type Step, type Tx } from "../../storage/steps/step.ts"
import { hasOperator } from "../../storage/steps/users.ts"
import { type Context, query, transact, writesOf } from "../context.ts"
import { checkPassword, hashPassword } from "./hash-password.ts"
import { claimLink, endLinks } from "./one-time-links.ts"
import { endSessions, openSession } from "./sessions.ts"

export type LinkOutcome = Awaited<ReturnType<typeof claimWith>>

/** Who opens a link. An existing session of this browser ends when a new one begins. */
export type LinkVisitor = Readonly<{ caller: Caller; sessionHash: string | null }>

/** Why a password is not accepted, as a sentence. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password].length
  if (length < PASSWORD_CHARACTERS_MIN) return `A password needs at least ${PASSWORD_CHARACTERS_MIN} characters.`
  if (length > PASSWORD_CHARACTERS_MAX) return `A password may have at most ${PASSWORD_CHARACTERS_MAX} characters.`
  return undefined
}

/** Whose link it was; null when it does not work. */
type Claimed = Readonly<{ userId: number; hasTotp?: boolean }> | null

async function claimWith(
  context: Context,
  password: string,
  { caller, sessionHash }: LinkVisitor,
  claim: (tx: Tx, passwordHash: string) => Step<Claimed>,
) {
  const passwordHash = await hashPassword(password, caller)
  // Too many passwords are being hashed; the link still works.
  if (passwordHash === null) return { outcome: "busy" as const }
  const claimed = await transact(context, (tx) => claim(tx, passwordHash))
  if (claimed === null) return { outcome: "invalid_link" as const }
  // With two-factor codes on, a sign-in is still needed.
  if (claimed.hasTotp) return { outcome: "sign_in" as const }
  return openSession(context, claimed.userId, sessionHash, caller)
}

type Operator = Readonly<{ email: string; name: string }>

/** Creates the first operator; the link works once. */
export const claimSetupLink = (
  context: Context,
  token: string,
  { email, name, password }: Operator & { readonly password: string },
  visitor: LinkVisitor,
) =>
  claimWith(context, password, visitor, (tx, passwordHash) => {
    const operator = { email: normalEmail(email), name, passwordHash }
    return claimSetup(tx, hashToken(token), operator, { actor: "setup", at: context.clock() })
  })

/** Null when the link does not work, or when there is an operator already. */
export function* claimSetup(
  tx: Tx,
  tokenHash: string,
  { email, name, passwordHash }: Operator & { readonly passwordHash: string },
  by: Change,
): Step<Claimed> {
  const { db, user } = tx
  if (yield* hasOperator(tx)) return null
  if ((yield* claimLink(tx, tokenHash, "setup", by)) === undefined) return null
  // An import may have created a user with this email address already. That user becomes the operator.
  const inserting = db.insert(user).values({ email, name, isOperator: 1, createdAt: by.at })
  const saving = inserting.onConflictDoUpdate({ target: user.email, set: { isOperator: 1 } })
  const made = yield* first(saving.returning({ userId: user.id }))
  if (made === undefined) throw new Error("the first operator was not created")
  yield* replacePassword(tx, made.userId, passwordHash, null)
  yield* audit(tx, by, { action: "create operator", subject: email })
  return made
}

/** Sets the password of the link's user, and ends all earlier sessions. */
export const claimPasswordLink = (context: Context, token: string, password: string, visitor: LinkVisitor) =>
  claimWith(context, password, visitor, (tx, passwordHash) =>
    claimPassword(tx, hashToken(token), passwordHash, { actor: "link", at: context.clock() }),
  )

/** Null when the link does not work. */
export function* claimPassword(tx: Tx, tokenHash: string, passwordHash: string, by: Change): Step<Claimed> {
  const userId = (yield* claimLink(tx, tokenHash, "password", by))?.userId ?? null
  if (userId === null) return null
  const person = yield* credentialsOf(tx, userId)
  yield* setPassword(tx, userId, passwordHash, { actor: `user:${userId}`, at: by.at, keepTokenHash: null })
  return { userId, hasTotp: (person?.totpSecret ?? null) !== null }
}

/** A signed-in user who types the password again. */
export type Proof = Readonly<{ userId: number; password: string; caller: Caller }>

export type Unproven = "wrong" | "busy" | { readonly waitSeconds: number }

/** Changes something for the user who proved the password; "wrong" when somebody has changed it meanwhile, to keep others out. */
type Proven = <Result>(change: (tx: Tx, by: Change) => Step<Result>) => Promise<Result | "wrong">

export interface PasswordChange extends Proof {
  readonly wanted: string
  /** The session to keep; all others end. */
  readonly keepTokenHash: string | null
}

/** Changes a password; needs the current one. */
export async function changePassword(context: Context, change: PasswordChange): Promise<"done" | Unproven> {
  const { userId, wanted, keepTokenHash, caller } = change
  const proven = await provePassword(context, change)
  if (typeof proven !== "function") return proven
  const passwordHash = await hashPassword(wanted, caller)
  if (passwordHash === null) return "busy"
  return proven(function* (tx, by): Step<"done"> {
    yield* setPassword(tx, userId, passwordHash, { ...by, keepTokenHash })
    return "done"
  })
}

/** Checks the password again before anything that a stolen session must not do. Failures are throttled like sign-ins. */
export async function provePassword(context: Context, { userId, password, caller }: Proof): Promise<Proven | Unproven> {
  const subject = `proof ${userId}`
  const { signInThrottle } = writesOf(context)
  const { waitSeconds, counted } = await signInThrottle.begin([subject], context.clock())
  if (waitSeconds > 0) return { waitSeconds }
  const passwordHash = (await query(context, (tx) => credentialsOf(tx, userId)))?.passwordHash ?? null
  const check = await checkPassword(password, passwordHash, caller)
  if (check === "busy") await signInThrottle.takeBack(counted)
  if (check !== "right" || passwordHash === null) return check === "busy" ? "busy" : "wrong"
  await signInThrottle.succeeded([subject])
  return (change) =>
    transact(context, function* (tx) {
      if ((yield* credentialsOf(tx, userId))?.passwordHash !== passwordHash) return "wrong"
      return yield* change(tx, { actor: `user:${userId}`, at: context.clock() })
    })
}

/** The same for a door, which never gets the hash: before something that is not written together with it. */
export async function confirmPassword(context: Context, given: Proof): Promise<"right" | Unproven> {
  const proven = await provePassword(context, given)
  return typeof proven === "function" ? "right" : proven
}

/** Ends every session but the one to keep, open password links, and sign-ins that wait for their code. */
export function* setPassword(
  tx: Tx,
  userId: number,
  passwordHash: string,
  by: Change & Pick<PasswordChange, "keepTokenHash">,
): Step<void> {
  yield* replacePassword(tx, userId, passwordHash, by.keepTokenHash)
  yield* audit(tx, by, { action: "set password", subject: `user:${userId}` })
}

/** The only place that changes the password of an account. */
function* replacePassword(tx: Tx, userId: number, passwordHash: string, keepTokenHash: string | null): Step<void> {
  yield* exec(tx.db.update(tx.user).set({ passwordHash }).where(eq(tx.user.id, userId)))
  yield* endLinks(tx, userId, ["password", "second_factor"])
  yield* endSessions(tx, userId, keepTokenHash)
}
