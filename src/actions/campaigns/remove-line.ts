import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { RemoveLineOutcome } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Deletes a line without figures, unless it is the only one of its campaign. */
export function removeLine(
  context: Context,
  seller: Pick<Organization, "id">,
  packageId: PackageId,
  actor: string,
): Promise<RemoveLineOutcome> {
  return writesOf(context).campaigns.removeLine(seller.id, packageId, { actor, at: context.clock() })
}
