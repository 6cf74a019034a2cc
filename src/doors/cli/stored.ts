import { httpsNote } from "../../actions/operations/services.ts"
import type { Config } from "../../config.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { UserError } from "../../domain/user-error.ts"
import type { StoreReads } from "../../storage/port/store.ts"

/** What is named on the command line, and is not there. */
export const unknown = (what: string, list: string): UserError =>
  new UserError(`There is no ${what}. "adbooth ${list} list" shows them.`)

/** The organization with this slug; the error for an unknown one lists those that exist. */
export async function findOrganization(store: StoreReads, slug: string): Promise<Organization> {
  const organization = await store.organizations.findBySlug(slug)
  if (organization !== null) return organization
  const slugs = (await store.organizations.list()).map((organization) => organization.slug)
  const none = 'There are none yet. Import some: "adbooth import FILE.json".'
  const hint = slugs.length === 0 ? none : `Known: ${slugs.slice(0, 20).join(", ")}.`
  throw new UserError(`There is no organization "${slug}". ${hint}`)
}

/** The same for an option that may be left out. */
export const organizationOf = async (store: StoreReads, slug: string | undefined): Promise<Organization | null> =>
  slug === undefined ? null : findOrganization(store, slug)

/** The full URL of a path: at the public URL if set, else where the server last listened; on this machine while nobody answers by HTTPS. */
export async function linkTo<Path extends string | null>(store: StoreReads, config: Config, path: Path): Promise<Path> {
  if (path === null) return path
  const https = await httpsNote(store)
  const known =
    https?.validUntil === null || https?.isServed === false
      ? await store.settings.get("local_address")
      : (config.publicUrl ?? (await store.settings.get("address")))
  const base = known ?? `http://127.0.0.1:${config.port}`
  return `${base}${path}` as Path
}
