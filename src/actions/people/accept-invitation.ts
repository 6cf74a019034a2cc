import { hashToken } from "../../domain/keys/token.ts"
import type { AcceptOutcome } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"
import { hashPassword } from "./hash-password.ts"
import type { LinkVisitor } from "./set-password.ts"
import { openSession, type SignedInOutcome } from "./sign-in.ts"

/** A signed-in user joins the organization that invited their address. */
export function acceptInvitation(context: Context, token: string, userId: number): Promise<AcceptOutcome> {
  return writesOf(context).invitations.accept(hashToken(token), userId, {
    actor: `user:${userId}`,
    at: context.clock(),
  })
}

export type AcceptAsNewOutcome =
  | SignedInOutcome
  | Exclude<AcceptOutcome, { outcome: "joined" }>
  | { readonly outcome: "busy" }

/** Somebody without an account creates one, joins, and is signed in. An existing account is never changed. */
export async function acceptAsNew(
  context: Context,
  token: string,
  person: { readonly name: string; readonly password: string },
  visitor: LinkVisitor,
): Promise<AcceptAsNewOutcome> {
  const { name, password } = person
  const passwordHash = await hashPassword(password, visitor.caller)
  if (passwordHash === null) return { outcome: "busy" }
  const change = { actor: "link", at: context.clock() }
  const accepted = await writesOf(context).invitations.acceptAsNew(hashToken(token), { name, passwordHash }, change)
  if (accepted.outcome !== "joined") return accepted
  return openSession(context, accepted.userId, visitor.sessionHash, visitor.caller)
}
