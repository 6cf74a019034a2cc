import { type Context, writesOf } from "../context.ts"
import { type Proof, provePassword, type Unproven } from "./change-password.ts"

/** Turns off two-factor codes; needs the password. */
export async function disableTwoFactor(context: Context, proof: Proof): Promise<"done" | Unproven> {
  const proven = await provePassword(context, proof)
  if (proven !== "right") return proven
  await writesOf(context).twoFactor.disable(proof.userId, { actor: `user:${proof.userId}`, at: context.clock() })
  return "done"
}
