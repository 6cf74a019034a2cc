import { hashToken } from "../../domain/people/session.ts"
import { createRecoveryCodes, matchingStep, plainCode } from "../../domain/people/two-factor.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { Tx } from "../../storage/database.ts"
import { deleteSessionsOf } from "../../storage/people/sessions.ts"
import {
  claimRecoveryCode,
  claimTimeStep,
  credentialsOf,
  deleteLinksOf,
  setTwoFactor,
} from "../../storage/people/sign-in.ts"
import { userById } from "../../storage/people/users.ts"
import type { Actor, Context } from "../context.ts"
import { type Proof, provePassword, type Unproven } from "./passwords.ts"

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
  const { database, clock } = context
  return database.transact(async (tx) => {
    const now = clock()
    const timeStep = matchingStep(secret, code, now)
    if (timeStep === null) return "wrong code"
    const recoveryCodes = createRecoveryCodes()
    await setTwoFactor(tx, proof.userId, secret, recoveryCodes.map(hashOf))
    // The same code must not work for a sign-in as well.
    await claimTimeStep(tx, proof.userId, timeStep)
    await audit(tx, proof.userId, "turned on two-factor codes", now)
    return { recoveryCodes }
  })
}

/** Turns off two-factor codes. Needs the password. */
export async function disableTwoFactor(context: Context, proof: Proof): Promise<"done" | Unproven> {
  const proven = await provePassword(context, proof)
  if (proven !== "right") return proven
  const { database, clock } = context
  return database.transact<"done">(async (tx) => {
    await forgetCodes(tx, proof.userId)
    await audit(tx, proof.userId, "turned off two-factor codes", clock())
    return "done"
  })
}

/**
 * Turns off two-factor codes for a person who lost the phone and the recovery codes, and signs them out everywhere. The operator
 * must know by other means who is asking. False if the codes are off already.
 */
export async function resetTwoFactor({ database, clock }: Context, actor: Actor, userId: number): Promise<boolean> {
  return database.transact(async (tx) => {
    const user = await userById(tx, userId)
    if (user === null || !user.hasTwoFactor) return false
    await forgetCodes(tx, userId)
    await deleteSessionsOf(tx, userId, null)
    const text = `turned off two-factor codes for ${user.email}`
    await addAuditEntry(tx, { at: clock(), actor, organizationId: null, text })
    return true
  })
}

async function forgetCodes(tx: Tx, userId: number): Promise<void> {
  await setTwoFactor(tx, userId, null, [])
  // A sign-in that waits for a code can't get a right one any more.
  await deleteLinksOf(tx, userId, ["second_factor"])
}

/** Whether it's a current code, or a recovery code that wasn't used yet. It can't be used again. */
export async function claimCode(tx: Tx, userId: number, code: string, now: Moment): Promise<boolean> {
  const secret = (await credentialsOf(tx, userId))?.totpSecret ?? null
  if (secret === null) return false
  const timeStep = matchingStep(secret, code, now)
  if (timeStep !== null) return claimTimeStep(tx, userId, timeStep)
  if (!(await claimRecoveryCode(tx, userId, hashOf(code)))) return false
  await audit(tx, userId, "signed in with a recovery code", now)
  return true
}

const hashOf = (code: string) => hashToken(plainCode(code))

const audit = (tx: Tx, userId: number, text: string, at: Moment) =>
  addAuditEntry(tx, { at, actor: `user:${userId}`, organizationId: null, text })
