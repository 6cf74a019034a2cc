import { checkLine, type LineErrors, type TypedLine } from "../../domain/campaign/line-fields.ts"
import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { type Context, writesOf } from "../context.ts"
import { newId } from "../new-id.ts"
import { unlessTaken } from "./unless-taken.ts"

export type AddedLine =
  | { readonly outcome: "done"; readonly packageId: PackageId }
  | { readonly outcome: "refused"; readonly errors: LineErrors }
  | { readonly outcome: "not found" }

/** Adds a line to a campaign in which the organization already sells; "not found" where it does not. */
export async function addLine(
  context: Context,
  seller: Pick<Organization, "id">,
  campaign: string,
  typed: TypedLine,
  actor: string,
): Promise<AddedLine> {
  const checked = checkLine(typed)
  if (!checked.ok) return { outcome: "refused", errors: checked.errors }
  const packageId = newId(context.random)
  const change = { actor, at: context.clock() }
  return unlessTaken(async () => {
    const added = await writesOf(context).campaigns.addLine(seller.id, campaign, { ...checked.line, packageId }, change)
    return added ? { outcome: "done", packageId } : { outcome: "not found" }
  })
}
