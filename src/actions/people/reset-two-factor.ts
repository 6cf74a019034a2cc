import { normalEmail } from "../../domain/people/user.ts"
import { type Context, writesOf } from "../context.ts"

export type ResetOutcome = "done" | "off" | "unknown"

/**
 * Turns off two-factor codes for somebody who lost the phone and the recovery codes, and ends their sessions. The operator must
 * verify by other means who is asking.
 */
export async function resetTwoFactor(context: Context, email: string, actor: string): Promise<ResetOutcome> {
  const user = await context.store.users.findByEmail(normalEmail(email))
  if (user === null) return "unknown"
  return (await writesOf(context).twoFactor.reset(user.id, { actor, at: context.clock() })) ? "done" : "off"
}
