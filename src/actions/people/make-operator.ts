import { Email, normalEmail } from "../../domain/people/user.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { UserError } from "../../domain/user-error.ts"
import { hasOperator, userByEmail } from "../../storage/steps/users.ts"
import { type Context, transact } from "../context.ts"
import { hashPassword } from "./hash-password.ts"
import { passwordProblem, setPassword } from "./passwords.ts"
import { addUser, replaceUser } from "./users.ts"

const isEmail = checkFor(Email)

/** Creates the operator from the settings, if there is none yet. Later, the settings change no password. */
export async function makeOperator(context: Context, address: string, password: string): Promise<boolean> {
  if (await context.store.users.hasOperator()) return false
  const problem = passwordProblem(password)
  if (!isEmail(address).ok)
    throw new UserError(`ADBOOTH_OPERATOR_EMAIL is not a valid email address; it is "${address}".`)
  if (problem !== undefined)
    throw new UserError(`ADBOOTH_OPERATOR_PASSWORD_FILE does not contain a valid password. ${problem}`)
  const email = normalEmail(address)
  const passwordHash = await hashPassword(password, null)
  const by = { actor: "setup", at: context.clock() }
  return transact(context, function* (tx) {
    if (yield* hasOperator(tx)) return false
    // A user with this address may exist, from an import: they become the operator.
    const existing = yield* userByEmail(tx, email)
    if (existing === null) {
      const person = { email, name: email.split("@")[0] ?? email, isOperator: true, membership: null, passwordHash }
      yield* addUser(tx, person, by)
    } else {
      yield* replaceUser(tx, existing.id, { ...existing, isOperator: true }, by)
      yield* setPassword(tx, existing.id, passwordHash, { ...by, keepTokenHash: null })
    }
    return true
  })
}
