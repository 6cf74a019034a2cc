import type { ImportedUser } from "../../domain/import/import-file.ts"
import { importProblem } from "../../domain/people/import-rule.ts"
import { emailProblem, nameProblem, normalEmail, storedName } from "../../domain/people/person.ts"
import { addSeat, addUser, seatsOf, setUserName, userByEmail } from "../../storage/people/users.ts"
import { addProblem, type Count, type Importing, isSound, organizationId, refuseRepeated } from "./importing.ts"

/** Creates accounts. An account that exists keeps its rights: an entry with other rights is a problem. */
export async function importUsers(importing: Importing, entries: readonly ImportedUser[]): Promise<Count> {
  const { tx, at } = importing
  const identify = ({ email, organization = "" }: ImportedUser) =>
    [`${normalEmail(email)} ${organization}`, "email"] as const
  refuseRepeated(importing, "/users", entries, identify)
  const created = new Map<string, number>()
  const updated = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    const { name, organization, role = "member" } = entry
    const email = normalEmail(entry.email)
    const seat = await checkUser(importing, entry, created.has(email), `/users/${i}`)
    if (!isSound(importing)) continue
    const stored = await userByEmail(tx, email)
    if (stored !== null && !created.has(email)) {
      await setUserName(tx, stored.id, storedName(name))
      updated.add(email)
      continue
    }
    const isOperator = entries.some((other) => other.operator === true && normalEmail(other.email) === email)
    const person = { email, name: storedName(name), isOperator, passwordHash: null, createdAt: at }
    const userId = created.get(email) ?? (await addUser(tx, person))
    created.set(email, userId)
    if (organization !== undefined && seat !== null) await addSeat(tx, { userId, organizationId: seat, role })
  }
  return { created: created.size, updated: updated.size }
}

/** Adds the problems of an entry. Returns the ID of the organization that it names. */
async function checkUser(
  importing: Importing,
  { email: typed, name, organization, role, operator }: ImportedUser,
  isNew: boolean,
  pointer: string,
): Promise<number | null> {
  const email = normalEmail(typed)
  const errors = { email: emailProblem(email), name: nameProblem(name) }
  for (const [field, error] of Object.entries(errors))
    if (error !== undefined) addProblem(importing, `${pointer}/${field}`, error)
  if (role !== undefined && organization === undefined)
    addProblem(importing, `${pointer}/role`, "A role needs an organization.")
  const stored = isNew ? null : await userByEmail(importing.tx, email)
  if (stored !== null) {
    const seats = await seatsOf(importing.tx, stored.id)
    const rights = {
      isOperator: operator ?? stored.isOperator,
      organization: organization ?? null,
      role: organization === undefined ? null : (role ?? "member"),
    }
    const problem = importProblem(email, { ...stored, seats }, rights)
    if (problem !== null) addProblem(importing, pointer, problem)
  }
  return organization === undefined ? null : organizationId(importing, organization, `${pointer}/organization`)
}
