import type { LineErrors, TypedLine } from "../../domain/campaign/line-fields.ts"
import { checkLine, EXTERNAL_ID_TAKEN, lineFields } from "../../domain/campaign/line-fields.ts"
import type { PackageId } from "../../domain/campaign/package-line.ts"
import { isStale } from "../../domain/edit-conflict.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { LineFields, NewLine } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { hasFigures, ownLine, soldCampaign } from "../../storage/steps/campaigns.ts"
import { all, and, eq, exec, first, flag, ne, type ReadTx, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, type Edited, type Refused, transact, verbOf } from "../context.ts"
import { newId } from "../new-id.ts"

type Seller = Pick<Organization, "id">

/** Adds a line to a campaign in which the organization already sells; "not found" where it does not. */
export async function addLine(context: Context, seller: Seller, campaign: string, typed: TypedLine, actor: string) {
  const checked = checkLine(typed)
  if (!checked.ok) return { outcome: "refused", errors: checked.errors } as const
  const line = { ...checked.line, packageId: newId(context.random) }
  const by = { actor, at: context.clock() }
  return unlessTaken(async () => {
    const isAdded = await transact(context, (tx) => addToCampaign(tx, seller.id, campaign, line, by))
    return isAdded ? ({ outcome: "done", packageId: line.packageId } as const) : ({ outcome: "not found" } as const)
  })
}

/** False unless this organization sells a line of the campaign already. */
export function* addToCampaign(tx: Tx, sellerId: number, slug: string, line: NewLine, by: Change): Step<boolean> {
  const campaign = yield* soldCampaign(tx, sellerId, slug)
  if (campaign === null) return false
  yield* insertLine(tx, campaign.id, sellerId, line, by)
  yield* audit(tx, by, { action: "create line", subject: line.packageId, organizationId: sellerId })
  return true
}

export function* insertLine(tx: Tx, campaignId: number, sellerId: number, line: NewLine, by: Change): Step<void> {
  yield* refuseTaken(tx, sellerId, line)
  yield* exec(tx.db.insert(tx.packageLine).values({ ...line, campaignId, sellerId, createdAt: by.at }))
}

/** Changes a line that the organization sells. Its pricing basis is fixed once it has figures. */
export async function editLine(
  context: Context,
  seller: Seller,
  packageId: PackageId,
  typed: TypedLine,
  by: Pick<Change, "actor" | "seen">,
): Promise<Edited<LineErrors>> {
  const checked = checkLine(typed)
  if (!checked.ok) return { outcome: "refused", errors: checked.errors }
  const stamped = { ...by, at: context.clock() }
  return unlessTaken(async () => ({
    outcome: await transact(context, (tx) => replaceLine(tx, seller.id, packageId, checked.line, stamped)),
  }))
}

export function* replaceLine(tx: Tx, sellerId: number, packageId: PackageId, edited: LineFields, by: Change) {
  const { db, packageLine } = tx
  const before = yield* ownLine(tx, sellerId, packageId)
  if (before === null) return "not found"
  if (isStale(by.seen, lineFields(before))) return "changed"
  yield* refuseTaken(tx, sellerId, { packageId, externalId: edited.externalId })
  // The basis gives figures their meaning. None can come in between: they wait for the end of a transaction.
  const pricingBasis = (yield* hasFigures(tx, before.id)) ? before.pricingBasis : edited.pricingBasis
  const saving = db.update(packageLine).set({ ...edited, pricingBasis })
  yield* exec(saving.where(eq(packageLine.id, before.id)))
  yield* audit(tx, by, { action: "edit line", subject: packageId, organizationId: sellerId })
  return "done"
}

/**
 * Takes a line out of the default lists, or puts it back. Reports of an archived line are accepted as before. False unless this
 * organization sells the line, and when it is archived (or not) already.
 */
export const archiveLine = verbOf(function* (tx, sellerId: number, id: PackageId, isArchived: boolean, by: Change) {
  const { db, packageLine } = tx
  const line = yield* ownLine(tx, sellerId, id)
  const archived = flag(isArchived)
  if (line === null || line.archived === archived) return false
  yield* exec(db.update(packageLine).set({ archived }).where(eq(packageLine.id, line.id)))
  const action = `${isArchived ? "archive" : "unarchive"} line`
  yield* audit(tx, by, { action, subject: id, organizationId: sellerId })
  return true
})

/** Deletes a line without figures, unless it is the only one of its campaign: for that, remove the campaign itself. */
export const removeLine = verbOf(function* (tx, sellerId: number, packageId: PackageId, by: Change) {
  const { db, packageLine } = tx
  const line = yield* ownLine(tx, sellerId, packageId)
  if (line === null) return "not found"
  if (yield* hasFigures(tx, line.id)) return "has figures"
  const lines = db.select({ id: packageLine.id }).from(packageLine).where(eq(packageLine.campaignId, line.campaignId))
  if ((yield* all(lines.limit(2))).length === 1) return "last line"
  yield* exec(db.delete(packageLine).where(eq(packageLine.id, line.id)))
  yield* audit(tx, by, { action: "remove line", subject: packageId, organizationId: sellerId })
  return "done"
})

/** Throws where another line of the seller has this external id, so that nothing is written. */
function* refuseTaken(
  { db, packageLine }: ReadTx,
  sellerId: number,
  { packageId, externalId }: Pick<NewLine, "packageId" | "externalId">,
): Step<void> {
  if (externalId === null) return
  const isSame = and(eq(packageLine.sellerId, sellerId), eq(packageLine.externalId, externalId))
  const others = db.select({ id: packageLine.id }).from(packageLine)
  const other = yield* first(others.where(and(isSame, ne(packageLine.packageId, packageId))))
  if (other !== undefined) throw new ExternalIdTaken()
}

/** What `save` returns, or the error of the field where another line of the seller has the external id. */
export async function unlessTaken<Saved>(save: () => Promise<Saved>): Promise<Saved | Refused<LineErrors>> {
  try {
    return await save()
  } catch (cause) {
    if (cause instanceof ExternalIdTaken) return { outcome: "refused", errors: { externalId: EXTERNAL_ID_TAKEN } }
    throw cause
  }
}

/** Another line of the same seller has this external id. Nothing was written. */
export class ExternalIdTaken extends Error {
  override readonly name = "ExternalIdTaken"
}
