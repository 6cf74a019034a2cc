import type { Change } from "../../domain/people/audit.ts"
import {
  type OrganizationErrors,
  organizationErrors,
  type TypedOrganization,
} from "../../domain/people/organization.ts"
import type { EditOutcome } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

export type EditedOrganization =
  | { readonly outcome: EditOutcome }
  | { readonly outcome: "refused"; readonly errors: OrganizationErrors }

/** Changes the name and the time zone of the organization with this slug. */
export async function editOrganization(
  context: Context,
  { slug, name, timeZone }: TypedOrganization,
  by: Pick<Change, "actor" | "seen">,
): Promise<EditedOrganization> {
  const errors = organizationErrors({ name, timeZone })
  if (Object.keys(errors).length > 0) return { outcome: "refused", errors }
  const edited = await writesOf(context).organizations.edit(slug, { name, timeZone }, { ...by, at: context.clock() })
  if (edited === "changed") return { outcome: "changed" }
  return { outcome: edited === null ? "not found" : "done" }
}
