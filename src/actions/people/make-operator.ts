import { Email, normalEmail } from "../../domain/people/user.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { UserError } from "../../domain/user-error.ts"
import { type Context, writesOf } from "../context.ts"
import { hashPassword } from "./hash-password.ts"
import { passwordProblem } from "./set-password.ts"

const ACTOR = "setup"
const isEmail = checkFor(Email)

/** Creates the operator from the settings, if there is none yet. Later, the settings change no password. */
export async function makeOperator(context: Context, address: string, password: string): Promise<boolean> {
  const { store, clock } = context
  if (await store.users.hasOperator()) return false
  const problem = passwordProblem(password)
  if (!isEmail(address).ok)
    throw new UserError(`ADBOOTH_OPERATOR_EMAIL is not a valid email address; it is "${address}".`)
  if (problem !== undefined)
    throw new UserError(`ADBOOTH_OPERATOR_PASSWORD_FILE does not contain a valid password. ${problem}`)
  const email = normalEmail(address)
  const passwordHash = await hashPassword(password, null)
  const { users } = writesOf(context)
  const change = { actor: ACTOR, at: clock() }
  const person = { email, name: email.split("@")[0] ?? email, isOperator: true, membership: null, passwordHash }
  if ((await users.create(person, change)) !== null) return true
  // A user with this address exists, from an import: make them the operator.
  const known = await store.users.findByEmail(email)
  if (known === null) return false
  await users.edit(known.id, { ...known, isOperator: true }, change)
  await users.setPassword(known.id, passwordHash, { ...change, keepTokenHash: null })
  return true
}
