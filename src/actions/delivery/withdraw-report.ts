import type { PackageId } from "../../domain/campaign/package-line.ts"
import { type ArrivedReport, mayWithdraw, reasonProblem, type Withdrawer } from "../../domain/delivery/withdrawal.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { WithdrawOutcome } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

export type Withdrawn =
  | WithdrawOutcome
  | { readonly outcome: "not allowed" }
  | { readonly outcome: "refused"; readonly errors: { readonly reason: string } }

/** Withdraws a report of a line. It stays in the history as withdrawn, and the current total is what the remaining reports say. */
export async function withdrawReport(
  context: Context,
  seller: Pick<Organization, "id">,
  packageId: PackageId,
  report: ArrivedReport,
  { reason, actor, ...person }: Withdrawer & { readonly reason: string; readonly actor: string },
): Promise<Withdrawn> {
  const [line] = await context.store.packageLines.findSold(seller.id, [packageId])
  const found = line && (await context.store.deliveryHistory.find(line.lineId, report))
  if (!found) return { outcome: "not found" }
  if (!mayWithdraw(person, found.source)) return { outcome: "not allowed" }
  const problem = reasonProblem(reason)
  if (problem !== undefined) return { outcome: "refused", errors: { reason: problem } }
  const change = { actor, at: context.clock() }
  return writesOf(context).deliveries.withdraw(seller.id, packageId, report, reason, change)
}
