import { hashToken } from "../domain/token.ts"
import { matchingStep, newRecoveryCodes } from "../domain/two-factor.ts"
import type { Context } from "./context.ts"

/** Turns two-factor codes on once the app has shown a right one. The recovery codes are in the answer and nowhere else. */
export async function enableTwoFactor(
  context: Context,
  userId: number,
  secret: string,
  code: string,
): Promise<readonly string[] | null> {
  const at = context.clock()
  const step = matchingStep(secret, code, at)
  if (step === null) return null
  const recoveryCodes = newRecoveryCodes(context.random)
  const hashes = recoveryCodes.map((one) => hashToken(plainCode(one)))
  await context.store.twoFactor.enable(userId, secret, hashes, { actor: `user:${userId}`, at })
  // The code has done its work: it does not open the account as well.
  await context.store.twoFactor.useStep(userId, step)
  return recoveryCodes
}

/** A recovery code as it is compared: however somebody groups or capitalizes it. */
export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, "").toLowerCase()
}
