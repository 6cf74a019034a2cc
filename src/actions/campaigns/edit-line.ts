import { checkLine, type LineErrors, type TypedLine } from "../../domain/campaign/line-fields.ts"
import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { EditOutcome } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"
import { unlessTaken } from "./unless-taken.ts"

export type EditedLine =
  | { readonly outcome: EditOutcome }
  | { readonly outcome: "refused"; readonly errors: LineErrors }

/** Changes a line that the organization sells. Its pricing basis is fixed once it has figures. */
export async function editLine(
  context: Context,
  seller: Pick<Organization, "id">,
  packageId: PackageId,
  typed: TypedLine,
  by: Pick<Change, "actor" | "seen">,
): Promise<EditedLine> {
  const checked = checkLine(typed)
  if (!checked.ok) return { outcome: "refused", errors: checked.errors }
  const change = { ...by, at: context.clock() }
  const { campaigns } = writesOf(context)
  return unlessTaken(async () => ({ outcome: await campaigns.editLine(seller.id, packageId, checked.line, change) }))
}
