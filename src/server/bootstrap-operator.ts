import { readFileSync } from "node:fs"
import type { Context } from "../actions/context.ts"
import { makeOperator } from "../actions/people/make-operator.ts"
import { issueSetupLink } from "../actions/people/one-time-links.ts"
import type { Config } from "../config.ts"
import { SETUP_LINK_MINUTES } from "../domain/people/user.ts"
import { UserError } from "../domain/user-error.ts"

/** Creates the operator from the settings, if they name one. */
export async function bootstrapOperator(
  { operatorEmail, operatorPasswordFile }: Config,
  context: Context,
): Promise<void> {
  if (operatorEmail === null || operatorPasswordFile === null) return
  await makeOperator(context, operatorEmail, readPassword(operatorPasswordFile))
}

function readPassword(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "")
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserError(`The operator's password file cannot be read (${reason}).`, { cause })
  }
}

/** The set-up link for the first operator; empty if there is an operator. */
export async function invitation(url: string, context: Context): Promise<string> {
  const link = await issueSetupLink(context)
  if (link === null) return ""
  return `\nOpen this link within ${SETUP_LINK_MINUTES} minutes to create the first operator:\n${url}${link}\n\n`
}
