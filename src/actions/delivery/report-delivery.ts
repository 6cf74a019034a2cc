import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { DeliveryEffect, DeliveryItem, DeliverySource, Receipt } from "../../domain/delivery/delivery.ts"
import { judge, measuredAt, readItem, receiptAt } from "../../domain/delivery/delivery.ts"
import type { DeliveryRefusal } from "../../domain/delivery/delivery-reasons.ts"
import { DUPLICATE, malformed, NOT_SELLER, NOT_STORED, refusal } from "../../domain/delivery/delivery-reasons.ts"
import { type DeliveryReport, type DeliveryResult, packageIdSent } from "../../domain/delivery/delivery-result.ts"
import type { DeliveryReceipt, ReportedTotal, SoldLine } from "../../storage/port/store.ts"
import { type Context, type ReportContext, writesOf } from "../context.ts"

/** The organization that reports, and the source of its figures. */
export interface Reporter {
  readonly organizationId: number
  readonly source: DeliverySource
}

export interface ReportOptions {
  /** Checks and answers as usual, but writes nothing. */
  readonly dryRun: boolean
}

/** Rows are checked again when a line changed before they were written. More attempts are never needed. */
export const JUDGED_TIMES_MAX = 10
export const TERMS_KEEP_CHANGING = "the reported lines changed each time before the figures were written"

/** An item that is accepted so far, or why it was rejected. */
type Outcome<Accepted> = DeliveryRefusal | Accepted

const isAccepted = <Accepted extends object>(outcome: Outcome<Accepted>): outcome is Accepted => !("reason" in outcome)

/** Parses, checks and stores delivery totals. Each item is accepted or rejected on its own; accepted items are on disk. */
export async function reportDelivery(
  context: ReportContext,
  { organizationId, source }: Reporter,
  elements: readonly unknown[],
  { dryRun }: ReportOptions,
): Promise<DeliveryReport> {
  const receivedAt = context.clock()
  const { read, packageIds } = readAll(elements)
  let outcomes: Outcome<object>[] = read
  try {
    for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
      const terms = await context.store.deliveries.linesSold(organizationId, packageIds)
      const judged = judgeAll(read, terms.items, receiptAt(receivedAt, terms.timeZone))
      outcomes = judged.outcomes
      const effects = await saveAll(
        context,
        judged.totals,
        { receivedAt, source, timeZone: terms.timeZone },
        terms.revision,
        dryRun,
      )
      // Null: a line changed between the two steps.
      if (effects !== null) return reportOf(elements, outcomes, effects, dryRun)
    }
    throw new Error(TERMS_KEEP_CHANGING)
  } catch (cause) {
    context.log.error("delivery totals not saved", cause, { organization: organizationId })
    const failed = outcomes.map((outcome) => (isAccepted(outcome) ? NOT_STORED : outcome))
    return reportOf(elements, failed, [], dryRun)
  }
}

/** The first well-formed item of a package counts; later ones in the same request are duplicates. */
function readAll(elements: readonly unknown[]): { read: Outcome<DeliveryItem>[]; packageIds: PackageId[] } {
  const packageIds = new Set<PackageId>()
  const read = elements.map((element) => {
    const item = readItem(element)
    if (item === undefined) return malformed(element)
    const { size } = packageIds
    return packageIds.add(item.packageId).size === size ? DUPLICATE : item
  })
  return { read, packageIds: [...packageIds] }
}

/** `lines` has the line of each accepted item, in order. */
function judgeAll(read: readonly Outcome<DeliveryItem>[], lines: readonly (SoldLine | undefined)[], receipt: Receipt) {
  const totals: ReportedTotal[] = []
  let next = 0
  const outcomes = read.map((item) => {
    if (!isAccepted(item)) return item
    const line = lines[next++]
    if (line === undefined) return NOT_SELLER
    const reason = judge(item, line, receipt)
    if (reason !== undefined) return refusal(reason, item, line, receipt)
    const total = { lineId: line.lineId, quantity: item.quantity, asOf: measuredAt(item, receipt) }
    totals.push(total)
    return total
  })
  return { outcomes, totals }
}

function saveAll(
  context: Context,
  totals: readonly ReportedTotal[],
  receipt: DeliveryReceipt,
  termsRevision: number,
  dryRun: boolean,
): Promise<DeliveryEffect[] | null> | DeliveryEffect[] {
  if (dryRun) return context.store.deliveries.preview(totals)
  return totals.length === 0 ? [] : writesOf(context).deliveries.record(totals, receipt, termsRevision)
}

/** `effects` has what each accepted item did, in order. */
function reportOf(
  elements: readonly unknown[],
  outcomes: readonly Outcome<object>[],
  effects: readonly DeliveryEffect[],
  dryRun: boolean,
): DeliveryReport {
  let accepted = 0
  const results = outcomes.map((outcome, index): DeliveryResult => {
    const package_id = packageIdSent(elements[index])
    if ("reason" in outcome) {
      return { index, package_id, status: "rejected", reason: outcome.reason, message: outcome.message }
    }
    const effect = effects[accepted++]
    if (effect === undefined) throw new Error("the store did not say what a total did")
    return { index, package_id, status: "accepted", effect }
  })
  const report = { accepted, rejected: results.length - accepted, results }
  return dryRun ? { ...report, dry_run: true } : report
}
