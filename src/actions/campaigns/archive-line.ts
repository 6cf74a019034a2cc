import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { type Context, writesOf } from "../context.ts"

/** Takes a line out of the default lists, or puts it back. Reports of an archived line are accepted as before. */
export function archiveLine(
  context: Context,
  seller: Pick<Organization, "id">,
  packageId: PackageId,
  archived: boolean,
  actor: string,
): Promise<boolean> {
  return writesOf(context).campaigns.archiveLine(seller.id, packageId, archived, { actor, at: context.clock() })
}
