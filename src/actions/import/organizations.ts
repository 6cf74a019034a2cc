import { eq } from "drizzle-orm"
import type { ImportedOrganization } from "../../domain/import/import-file.ts"
import { type OrganizationFields, readOrganization, slugProblem } from "../../domain/people/organization.ts"
import { rebuildAllDays } from "../../storage/delivery/write-days.ts"
import { addProblem, type Count, type Importing, isSound, refuseRepeated, UNKNOWN_ID } from "./importing.ts"

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
      organizations.set(entry.slug, fields === null ? UNKNOWN_ID : await add(importing, entry.slug, fields))
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

async function add({ tx }: Importing, slug: string, fields: OrganizationFields): Promise<number> {
  const [added] = await tx.db
    .insert(tx.organization)
    .values({ slug, ...fields })
    .returning({ id: tx.organization.id })
  return added?.id ?? UNKNOWN_ID
}

async function update(
  { tx }: Importing,
  known: OrganizationFields & { readonly id: number },
  fields: OrganizationFields,
) {
  await tx.db.update(tx.organization).set(fields).where(eq(tx.organization.id, known.id))
  if (known.timeZone !== fields.timeZone) await rebuildAllDays(tx, known.id, fields.timeZone)
}
