import type { ImportedOrganization, ImportedUser } from "../../domain/import-file.ts"
import { readOrganization, slugProblem } from "../../domain/people/organization.ts"
import { emailProblem, importProblem, nameProblem, normalEmail, storedName } from "../../domain/people/person.ts"
import { rebuildAllDays } from "../../storage/delivery/days.ts"
import { updateOrganization } from "../../storage/organizations.ts"
import {
  addSeat,
  addUser,
  type Seat,
  seatsOf,
  setUserName,
  type User,
  userByEmail,
} from "../../storage/people/users.ts"
import { addRow } from "../../storage/sql-text.ts"
import { addErrors, addProblem, checkSlug, countOf, type Importing, idOf, refuseRepeated } from "./importing.ts"

export function checkOrganizations(importing: Importing, entries: readonly ImportedOrganization[] = []) {
  const { tx, stored, ids } = importing
  refuseRepeated(importing, "/organizations", entries, ({ slug }) => [slug, "slug"])
  const checked = entries.flatMap(({ slug, name, time_zone, address }, i) => {
    const known = stored.get(slug)
    const timeZone = time_zone ?? known?.timeZone ?? "UTC"
    const read = readOrganization({ name, timeZone, address: address ?? known?.address ?? "" })
    addErrors(importing, `/organizations/${i}`, { slug: slugProblem(slug) })
    if ("fields" in read) return [{ slug, known, fields: read.fields }]
    addErrors(importing, `/organizations/${i}`, read.errors, { timeZone: "time_zone" })
    return []
  })

  return async function write() {
    for (const { slug, known, fields } of checked) {
      if (known === undefined) {
        ids.set(slug, await addRow(tx, "organization", { slug, ...fields }))
        continue
      }
      await updateOrganization(tx, known.id, fields)
      // It changes the days of everything that the organization sells.
      if (known.timeZone !== fields.timeZone) await rebuildAllDays(tx, known.id, fields.timeZone)
    }
    return countOf(checked)
  }
}

/** An account that exists keeps its rights: an entry with other rights is a problem. */
export async function checkUsers(importing: Importing, entries: readonly ImportedUser[] = []) {
  const { tx, at } = importing
  refuseRepeated(importing, "/users", entries, ({ email, organization = "" }) => [
    `${normalEmail(email)} ${organization}`,
    "email",
  ])
  const accounts: { email: string; known: User | undefined; own: readonly ImportedUser[] }[] = []
  for (const [email, own] of Map.groupBy(entries.entries(), ([, entry]) => normalEmail(entry.email))) {
    const known = (await userByEmail(tx, email)) ?? undefined
    const stored = known && { ...known, seats: await seatsOf(tx, known.id) }
    for (const [i, entry] of own) checkUser(importing, entry, stored, `/users/${i}`)
    accounts.push({ email, known, own: own.map(([, entry]) => entry) })
  }

  return async function write() {
    for (const { email, known, own } of accounts) {
      if (known === undefined) await create(email, own)
      else await setUserName(tx, known.id, storedName(own.at(-1)?.name ?? known.name))
    }
    return countOf(accounts)
  }

  async function create(email: string, own: readonly ImportedUser[]): Promise<void> {
    const isOperator = own.some(({ operator }) => operator === true)
    const name = storedName(own[0]?.name ?? "")
    const userId = await addUser(tx, { email, name, isOperator, passwordHash: null, createdAt: at })
    for (const { organization, role = "member" } of own)
      if (organization !== undefined) await addSeat(tx, { userId, organizationId: idOf(importing, organization), role })
  }
}

function checkUser(
  importing: Importing,
  { email: typed, name, organization, role, operator }: ImportedUser,
  stored: (User & { readonly seats: readonly Seat[] }) | undefined,
  pointer: string,
): void {
  const email = normalEmail(typed)
  addErrors(importing, pointer, {
    email: emailProblem(email),
    name: nameProblem(name),
    role: role !== undefined && organization === undefined ? "A role needs an organization." : undefined,
  })
  checkSlug(importing, organization, `${pointer}/organization`)
  if (stored === undefined) return
  const problem = importProblem(email, stored, {
    isOperator: operator ?? stored.isOperator,
    organization: organization ?? null,
    role: organization === undefined ? null : (role ?? "member"),
  })
  if (problem !== null) addProblem(importing, pointer, problem)
}
