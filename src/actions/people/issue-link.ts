import { hashToken } from "../../domain/keys/token.ts"
import { PASSWORD_LINK_HOURS, SETUP_LINK_MINUTES } from "../../domain/people/user.ts"
import { type Context, writesOf } from "../context.ts"
import { newToken } from "../new-token.ts"

const MINUTE = 60_000_000

/** The path of a one-time link to create the first operator. Null once there is an operator. */
export async function issueSetupLink(context: Context): Promise<string | null> {
  if (await context.store.users.hasOperator()) return null
  return issue(context, { purpose: "setup", userId: null, actor: "setup" }, SETUP_LINK_MINUTES * MINUTE)
}

/** The path of a one-time link to set a password. */
export function issuePasswordLink(context: Context, userId: number, actor: string): Promise<string> {
  return issue(context, { purpose: "password", userId, actor }, PASSWORD_LINK_HOURS * 60 * MINUTE)
}

async function issue(
  context: Context,
  link: { readonly purpose: "setup" | "password"; readonly userId: number | null; readonly actor: string },
  lasts: number,
): Promise<string> {
  const token = newToken(context.random)
  const createdAt = context.clock()
  const { purpose, userId, actor } = link
  const times = { createdAt, expiresAt: createdAt + lasts }
  await writesOf(context).oneTimeLinks.issue(
    { tokenHash: hashToken(token), purpose, userId, ...times },
    { actor, at: createdAt },
  )
  return `/app/${purpose}/${token}`
}
