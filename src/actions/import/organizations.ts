import { eq } from "drizzle-orm"
import type { ImportedOrganization, ImportedUser } from "../../domain/import-file.ts"
import { type OrganizationFields, readOrganization, slugProblem } from "../../domain/people/organization.ts"
import { emailProblem, importProblem, nameProblem, normalEmail, storedName } from "../../domain/people/person.ts"
import { rebuildAllDays } from "../../storage/delivery/days.ts"
import { addSeat, addUser, seatsOf, setUserName, userByEmail } from "../../storage/people/users.ts"
import { addRow } from "../../storage/sql-text.ts"
import {
  addProblem,
  type Count,
  type Importing,
  isSound,
  organizationId,
  refuseRepeated,
  UNKNOWN_ID,
} from "./importing.ts"

const FIELDS = { name: "name", timeZone: "time_zone", address: "address" } as const

/** Creates or updates the organizations of the file. A new time zone changes the days of everything that they sell. */
export async function importOrganizations(
  importing: Importing,
  entries: readonly ImportedOrganization[],
): Promise<Count> {
  const { tx, organizations } = importing
  const stored = await tx.db.select().from(tx.organization)
  for (const { slug, id } of stored) organizations.set(slug, id)
  refuseRepeated(importing, "/organizations", entries, ({ slug }) => [slug, "slug"])
  const count = { created: 0, updated: 0 }
  for (const [i, entry] of entries.entries()) {
    const known = stored.find(({ slug }) => slug === entry.slug)
    const fields = readEntry(importing, entry, known, `/organizations/${i}`)
    if (known === undefined) {
      organizations.set(
        entry.slug,
        fields === null ? UNKNOWN_ID : await addRow(tx, "organization", { slug: entry.slug, ...fields }),
      )
      count.created++
    } else {
      if (fields !== null) await update(importing, known, fields)
      count.updated++
    }
  }
  return count
}

/** Returns the fields to write, or null if a problem was found in the file. */
function readEntry(
  importing: Importing,
  { slug, name, time_zone, address }: ImportedOrganization,
  known: OrganizationFields | undefined,
  pointer: string,
): OrganizationFields | null {
  const problem = slugProblem(slug)
  if (problem !== undefined) addProblem(importing, `${pointer}/slug`, problem)
  const read = readOrganization({
    name,
    timeZone: time_zone ?? known?.timeZone ?? "UTC",
    address: address ?? known?.address ?? "",
  })
  if ("errors" in read) {
    for (const field of ["name", "timeZone", "address"] as const) {
      const error = read.errors[field]
      if (error !== undefined) addProblem(importing, `${pointer}/${FIELDS[field]}`, error)
    }
    return null
  }
  return isSound(importing) ? read.fields : null
}

async function update(
  { tx }: Importing,
  known: OrganizationFields & { readonly id: number },
  fields: OrganizationFields,
) {
  await tx.db.update(tx.organization).set(fields).where(eq(tx.organization.id, known.id))
  if (known.timeZone !== fields.timeZone) await rebuildAllDays(tx, known.id, fields.timeZone)
}

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
