import type { Caller } from "../../domain/callers/fair-queue.ts"
import { hashToken } from "../../domain/keys/token.ts"
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../domain/limits.ts"
import { normalEmail } from "../../domain/people/user.ts"
import { type Context, writesOf } from "../context.ts"
import { hashPassword } from "./hash-password.ts"
import { openSession, type SignedInOutcome } from "./sign-in.ts"

export type LinkOutcome =
  | SignedInOutcome
  /** Too many passwords are being hashed; the link still works. */
  | { readonly outcome: "busy" }
  | { readonly outcome: "invalid_link" }
  /** The password is set; with two-factor codes on, a sign-in is still needed. */
  | { readonly outcome: "sign_in" }

/** Who opens a link. An existing session of this browser ends when a new one begins. */
export interface LinkVisitor {
  readonly caller: Caller
  readonly sessionHash: string | null
}

/** Why a password is not accepted, as a sentence. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password].length
  if (length < PASSWORD_CHARACTERS_MIN) return `A password needs at least ${PASSWORD_CHARACTERS_MIN} characters.`
  if (length > PASSWORD_CHARACTERS_MAX) return `A password may have at most ${PASSWORD_CHARACTERS_MAX} characters.`
  return undefined
}

/** Creates the first operator; the link works once. */
export async function claimSetupLink(
  context: Context,
  token: string,
  operator: { readonly email: string; readonly name: string; readonly password: string },
  visitor: LinkVisitor,
): Promise<LinkOutcome> {
  const passwordHash = await hashPassword(operator.password, visitor.caller)
  if (passwordHash === null) return { outcome: "busy" }
  const made = await writesOf(context).linkClaims.claimSetup(
    hashToken(token),
    { email: normalEmail(operator.email), name: operator.name, passwordHash },
    { actor: "setup", at: context.clock() },
  )
  return made === null
    ? { outcome: "invalid_link" }
    : openSession(context, made.userId, visitor.sessionHash, visitor.caller)
}

/** Sets the password of the link's user, and ends all earlier sessions. */
export async function claimPasswordLink(
  context: Context,
  token: string,
  password: string,
  visitor: LinkVisitor,
): Promise<LinkOutcome> {
  const passwordHash = await hashPassword(password, visitor.caller)
  if (passwordHash === null) return { outcome: "busy" }
  const change = { actor: "link", at: context.clock() }
  const claimed = await writesOf(context).linkClaims.claimPassword(hashToken(token), passwordHash, change)
  if (claimed === null) return { outcome: "invalid_link" }
  return claimed.hasTotp
    ? { outcome: "sign_in" }
    : openSession(context, claimed.userId, visitor.sessionHash, visitor.caller)
}
