import {
  type OrganizationErrors,
  organizationErrors,
  Slug,
  type TypedOrganization,
} from "../../domain/people/organization.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { type Context, writesOf } from "../context.ts"

const isSlug = checkFor(Slug)

/** Creates an organization. Returns an error for each invalid field; empty when it was created. */
export async function createOrganization(
  context: Context,
  { slug, name, timeZone }: TypedOrganization,
  actor: string,
): Promise<OrganizationErrors> {
  const errors = {
    ...(!isSlug(slug).ok && { slug: "Give a short name of lower-case letters, digits and single hyphens." }),
    ...organizationErrors({ name, timeZone }),
  }
  if (Object.keys(errors).length > 0) return errors
  const made = await writesOf(context).organizations.create({ slug, name, timeZone }, { actor, at: context.clock() })
  return made === null ? { slug: "There is already an organization with this slug." } : {}
}
