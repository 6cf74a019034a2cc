import { hashToken } from "../../domain/keys/token.ts"
import { matchingStep, newRecoveryCodes } from "../../domain/people/two-factor.ts"
import { type Context, writesOf } from "../context.ts"
import { type Proof, provePassword, type Unproven } from "./change-password.ts"

export interface NewTwoFactor extends Proof {
  readonly secret: string
  /** What the app shows for this secret. */
  readonly code: string
}

export type EnableOutcome =
  | { readonly outcome: "enabled"; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: "wrong_code" }
  | { readonly outcome: "unproven"; readonly why: Unproven }

/**
 * Turns two-factor codes on for whoever knows the password, once the app has shown a right code: a borrowed session must not lock
 * its owner out. The recovery codes are in the answer and nowhere else.
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
  // The code has done its work: it does not open the account as well.
  await writesOf(context).twoFactor.useTimeStep(userId, step)
  return { outcome: "enabled", recoveryCodes }
}

/** A recovery code as it is compared: however somebody groups or capitalizes it. */
export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, "").toLowerCase()
}
