import { hashToken } from "../../domain/keys/api-key.ts"
import type { Change } from "../../domain/people/audit.ts"
import { matchingStep, newRecoveryCodes } from "../../domain/people/two-factor.ts"
import { normalEmail } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { audit } from "../../storage/steps/audit.ts"
import type { Credentials } from "../../storage/steps/sign-in.ts"
import { all, and, eq, exec, isNull, lt, or, type Step, type Tx } from "../../storage/steps/step.ts"
import { userByEmail, userById } from "../../storage/steps/users.ts"
import { type Context, transact } from "../context.ts"
import { endLinks } from "./one-time-links.ts"
import { type Proof, provePassword, type Unproven } from "./passwords.ts"
import { endSessions } from "./sessions.ts"

type NewTwoFactor = Proof & Readonly<{ secret: string; code: string }>

/**
 * Turns on two-factor codes; needs the password, so that a stolen session cannot lock its owner out, and a correct code. The recovery
 * codes are only in the result.
 */
export async function enableTwoFactor(context: Context, wanted: NewTwoFactor) {
  const { userId, secret, code } = wanted
  const proven = await provePassword(context, wanted)
  if (typeof proven !== "function") return { outcome: "unproven" as const, why: proven }
  const timeStep = matchingStep(secret, code, context.clock())
  if (timeStep === null) return { outcome: "wrong_code" as const }
  const recoveryCodes = newRecoveryCodes(context.random)
  const recoveryHashes = recoveryCodes.map((entry) => hashToken(plainCode(entry)))
  const enabled = await proven(function* (tx, by) {
    yield* turnCodesOn(tx, userId, secret, recoveryHashes, by)
    // The same code must not also work for a sign-in.
    yield* useTimeStep(tx, userId, timeStep)
    return { outcome: "enabled" as const, recoveryCodes }
  })
  return enabled === "wrong" ? { outcome: "unproven" as const, why: enabled } : enabled
}

/** The recovery codes, given as hashes, replace earlier ones. */
export function* turnCodesOn(tx: Tx, userId: number, secret: string, recoveryHashes: readonly string[], by: Change) {
  const { db, user, recoveryCode } = tx
  yield* exec(db.update(user).set({ totpSecret: secret, totpStep: null }).where(eq(user.id, userId)))
  yield* exec(db.delete(recoveryCode).where(eq(recoveryCode.userId, userId)))
  const codes = recoveryHashes.map((codeHash) => ({ userId, codeHash }))
  if (codes.length > 0) yield* exec(db.insert(recoveryCode).values(codes))
  yield* audit(tx, by, { action: "enable two_factor", subject: `user:${userId}` })
}

/** Turns off two-factor codes; needs the password. */
export async function disableTwoFactor(context: Context, proof: Proof): Promise<"done" | Unproven> {
  const proven = await provePassword(context, proof)
  if (typeof proven !== "function") return proven
  return proven(function* (tx, by): Step<"done"> {
    yield* turnCodesOff(tx, proof.userId, by)
    return "done"
  })
}

export function* turnCodesOff(tx: Tx, userId: number, by: Change): Step<void> {
  yield* forgetCodes(tx, userId)
  yield* audit(tx, by, { action: "disable two_factor", subject: `user:${userId}` })
}

export type ResetOutcome = "done" | "off" | "unknown"

/**
 * Turns off two-factor codes for a user who lost the phone and the recovery codes, and ends the user's sessions. The operator must
 * verify by other means who is asking.
 */
export const resetTwoFactor = (context: Context, email: string, actor: string): Promise<ResetOutcome> =>
  transact(context, function* (tx) {
    const person = yield* userByEmail(tx, normalEmail(email))
    if (person === null) return "unknown"
    return (yield* resetCodes(tx, person.id, { actor, at: context.clock() })) ? "done" : "off"
  })

/** False when they are off already. */
export function* resetCodes(tx: Tx, userId: number, by: Change): Step<boolean> {
  const person = yield* userById(tx, userId)
  if (!person?.hasTotp) return false
  yield* forgetCodes(tx, userId)
  yield* endSessions(tx, userId, null)
  yield* audit(tx, by, { action: "reset two_factor", subject: person.email })
  return true
}

function* forgetCodes(tx: Tx, userId: number): Step<void> {
  const { db, user, recoveryCode } = tx
  yield* exec(db.update(user).set({ totpSecret: null, totpStep: null }).where(eq(user.id, userId)))
  yield* exec(db.delete(recoveryCode).where(eq(recoveryCode.userId, userId)))
  // No code is right any more for a sign-in that waits for one.
  yield* endLinks(tx, userId, ["second_factor"])
}

/** Whether it is a current code or a recovery code that was not used before. It cannot be used again. */
export function* useCode(tx: Tx, { userId, totpSecret }: Credentials, code: string, at: Moment): Step<boolean> {
  if (totpSecret === null) return false
  const timeStep = matchingStep(totpSecret, code, at)
  if (timeStep !== null) return yield* useTimeStep(tx, userId, timeStep)
  return yield* useRecoveryCode(tx, userId, hashToken(plainCode(code)), { actor: `user:${userId}`, at })
}

/** True when this was an unused recovery code of the user. It cannot be used again. */
export function* useRecoveryCode(tx: Tx, userId: number, codeHash: string, by: Change): Step<boolean> {
  const { db, recoveryCode } = tx
  const isTheOne = and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash))
  const used = yield* all(db.delete(recoveryCode).where(isTheOne).returning({ userId: recoveryCode.userId }))
  if (used.length === 0) return false
  yield* audit(tx, by, { action: "use recovery_code", subject: `user:${userId}` })
  return true
}

/** False when a code of this or a later time step was used before: every code works once. */
export function* useTimeStep({ db, user }: Tx, userId: number, timeStep: number): Step<boolean> {
  const isNew = and(eq(user.id, userId), or(isNull(user.totpStep), lt(user.totpStep, timeStep)))
  const used = yield* all(db.update(user).set({ totpStep: timeStep }).where(isNew).returning({ id: user.id }))
  return used.length > 0
}

/** Normalizes a recovery code for comparison. */
const plainCode = (code: string): string => code.replace(/[\s-]/g, "").toLowerCase()
