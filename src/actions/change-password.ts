import type { SignInContext } from "./sign-in.ts"
import { passwordFits } from "./sign-in.ts"

export interface PasswordChange {
  readonly userId: number
  readonly current: string
  readonly wanted: string
  /** The session that goes on; every other one ends. */
  readonly keptHash: string | null
}

/** Replaces a password for whoever knows the current one. */
export async function changePassword(
  context: SignInContext,
  { userId, current, wanted, keptHash }: PasswordChange,
): Promise<"done" | "wrong" | { readonly waitSeconds: number }> {
  const proof = await provePassword(context, userId, current)
  if (proof !== "right") return proof
  const change = { actor: `user:${userId}`, at: context.clock() }
  await context.store.users.setPassword(userId, await Bun.password.hash(wanted), change)
  await context.store.sessions.endAll(userId, keptHash, change)
  return "done"
}

/** Asks for the password once more before what a borrowed session must not do. Failures are slowed as at the sign-in. */
export async function provePassword(
  { store, clock, signInPace }: SignInContext,
  userId: number,
  password: string,
): Promise<"right" | "wrong" | { readonly waitSeconds: number }> {
  const subject = `proof ${userId}`
  const waitSeconds = signInPace.waitSeconds(subject, clock())
  if (waitSeconds > 0) return { waitSeconds }
  signInPace.failed(subject, clock())
  if (!(await passwordFits(password, await store.sessions.credentialsOf(userId)))) return "wrong"
  signInPace.succeeded(subject)
  return "right"
}
