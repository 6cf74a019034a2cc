import type { Organization } from "../../domain/people/organization.ts"
import { UserError } from "../../domain/user-error.ts"
import type { StoreReads } from "../../storage/port/store.ts"

/** The organization with this slug; the error for an unknown one lists those that exist. */
export async function findOrganization(store: StoreReads, slug: string): Promise<Organization> {
  const found = await store.organizations.findBySlug(slug)
  if (found !== null) return found
  const known = (await store.organizations.list()).map((organization) => organization.slug)
  const hint =
    known.length > 0
      ? `Known: ${known.slice(0, 20).join(", ")}.`
      : 'There are none yet. Import some: "adbooth import FILE.json".'
  throw new UserError(`There is no organization "${slug}". ${hint}`)
}
