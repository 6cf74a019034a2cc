import type { Caller } from "../../domain/callers/fair-queue.ts"
import { type Context, secretsOf, writesOf } from "../context.ts"
import { checkPassword, hashPassword } from "./hash-password.ts"

/** A signed-in user who types the password again. */
export interface Proof {
  readonly userId: number
  readonly password: string
  readonly caller: Caller
}

/** Why that password is not accepted. */
export type Unproven = "wrong" | "busy" | { readonly waitSeconds: number }

export interface PasswordChange extends Proof {
  readonly wanted: string
  /** The session to keep; all others end. */
  readonly keepTokenHash: string | null
}

/** Changes a password; needs the current one. */
export async function changePassword(context: Context, change: PasswordChange): Promise<"done" | Unproven> {
  const { userId, wanted, keepTokenHash, caller } = change
  const proof = await provePassword(context, change)
  if (proof !== "right") return proof
  const passwordHash = await hashPassword(wanted, caller)
  if (passwordHash === null) return "busy"
  await writesOf(context).users.setPassword(userId, passwordHash, {
    actor: `user:${userId}`,
    at: context.clock(),
    keepTokenHash,
  })
  return "done"
}

/** Checks the password again before anything that a stolen session must not do. Failures are throttled like sign-ins. */
export async function provePassword(
  context: Context,
  { userId, password, caller }: Proof,
): Promise<"right" | Unproven> {
  const subject = `proof ${userId}`
  const { signInThrottle } = writesOf(context)
  const { waitSeconds, counted } = await signInThrottle.begin([subject], context.clock())
  if (waitSeconds > 0) return { waitSeconds }
  const known = await secretsOf(context).credentials.findByUserId(userId)
  const check = await checkPassword(password, known?.passwordHash ?? null, caller)
  if (check === "busy") await signInThrottle.takeBack(counted)
  if (check === "right") await signInThrottle.succeeded([subject])
  return check
}
