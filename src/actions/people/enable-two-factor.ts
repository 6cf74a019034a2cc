import { hashToken } from "../../domain/keys/token.ts"
import { matchingStep, newRecoveryCodes } from "../../domain/people/two-factor.ts"
import { type Context, writesOf } from "../context.ts"
import { type Proof, provePassword, type Unproven } from "./change-password.ts"

export interface NewTwoFactor extends Proof {
  readonly secret: string
  /** The current code of the authenticator app. */
  readonly code: string
}

export type EnableOutcome =
  | { readonly outcome: "enabled"; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: "wrong_code" }
  | { readonly outcome: "unproven"; readonly why: Unproven }

/**
 * Turns on two-factor codes; needs the password, so that a stolen session cannot lock its owner out, and a correct code. The recovery
 * codes are only in the result.
 */
export async function enableTwoFactor(context: Context, wanted: NewTwoFactor): Promise<EnableOutcome> {
  const { userId, secret, code } = wanted
  const proof = await provePassword(context, wanted)
  if (proof !== "right") return { outcome: "unproven", why: proof }
  const at = context.clock()
  const step = matchingStep(secret, code, at)
  if (step === null) return { outcome: "wrong_code" }
  const recoveryCodes = newRecoveryCodes(context.random)
  const hashes = recoveryCodes.map((one) => hashToken(plainCode(one)))
  await writesOf(context).twoFactor.enable(userId, secret, hashes, { actor: `user:${userId}`, at })
  // The same code must not also work for a sign-in.
  await writesOf(context).twoFactor.useTimeStep(userId, step)
  return { outcome: "enabled", recoveryCodes }
}

/** Normalizes a recovery code for comparison. */
export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, "").toLowerCase()
}
