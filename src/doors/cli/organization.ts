import type { Organization } from "../../domain/people/organization.ts"
import { UserError } from "../../domain/user-error.ts"
import type { StoreReads } from "../../storage/port/store.ts"

/** The organization of a slug given on the command line. UserError when there is none, with those that are. */
export async function findOrganization(store: StoreReads, slug: string): Promise<Organization> {
  const found = await store.organizations.findBySlug(slug)
  if (found !== null) return found
  const known = (await store.organizations.list()).map((organization) => organization.slug)
  const hint =
    known.length > 0
      ? `There is: ${known.slice(0, 20).join(", ")}.`
      : 'There is none yet: "adbooth import" brings them in.'
  throw new UserError(`There is no organization "${slug}". ${hint}`)
}
