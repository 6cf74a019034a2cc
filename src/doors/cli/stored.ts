import type { Config } from "../../config.ts"
import { readPackageId } from "../../domain/campaign/package-line.ts"
import { KeyLabel } from "../../domain/keys/api-key.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { formatMinute } from "../../domain/time/moment.ts"
import { UserError } from "../../domain/user-error.ts"
import type { ListedKey, StoreReads } from "../../storage/port/store.ts"
import { UsageError } from "./arguments.ts"
import { type Column, momentOrNull, timeColumn } from "./output/table.ts"

/** The organization with this slug; the error for an unknown one lists those that exist. */
export async function findOrganization(store: StoreReads, slug: string): Promise<Organization> {
  const organization = await store.organizations.findBySlug(slug)
  if (organization !== null) return organization
  const slugs = (await store.organizations.list()).map((organization) => organization.slug)
  const hint =
    slugs.length > 0
      ? `Known: ${slugs.slice(0, 20).join(", ")}.`
      : 'There are none yet. Import some: "adbooth import FILE.json".'
  throw new UserError(`There is no organization "${slug}". ${hint}`)
}

/** The same for an option that may be left out. */
export const organizationOf = async (store: StoreReads, slug: string | undefined): Promise<Organization | null> =>
  slug === undefined ? null : findOrganization(store, slug)

/** The line with this package ID, whoever sells it. */
export async function findLine(store: StoreReads, typed: string) {
  const packageId = readPackageId(typed)
  const located = packageId === undefined ? null : await store.packageLines.locate(packageId)
  const seller = located && (await findOrganization(store, located.seller))
  const [sold] = seller && packageId ? await store.packageLines.findSold(seller.id, [packageId]) : []
  if (located && seller && sold) return { ...sold, seller, campaign: located.campaign }
  throw new UserError(`There is no line "${typed}". "adbooth line list" shows them.`)
}

/** The full URL of a path: at the public URL if set, else where the server last listened. */
export async function linkTo<Path extends string | null>(store: StoreReads, config: Config, path: Path): Promise<Path> {
  if (path === null) return path
  const base = config.publicUrl ?? (await store.settings.get("address")) ?? `http://127.0.0.1:${config.port}`
  return `${base}${path}` as Path
}

export function readLabel(label: string): string {
  const checked = checkFor(KeyLabel)(label)
  if (!checked.ok) throw new UsageError(checked.problems.map(({ message }) => `--label ${message}.`).join("\n"))
  return checked.value
}

// What the lists of both kinds of keys have in common.
export const STATE: Column<ListedKey> = {
  title: "STATE",
  text: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
  colour: ({ revokedAt }) => (revokedAt === null ? "green" : "dim"),
}
// To the minute, because uses are noted together.
export const LAST_USED: Column<ListedKey> = {
  title: "LAST USED",
  value: ({ lastUsedAt }) => lastUsedAt && formatMinute(lastUsedAt),
  text: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : formatMinute(lastUsedAt)),
  optional: 1,
}
export const CREATED = timeColumn("CREATED", ({ createdAt }: ListedKey) => createdAt, { optional: 2 })
export const revokedJson = ({ revokedAt }: ListedKey) => ({ revoked: momentOrNull(revokedAt) })
