import type { PackageId } from "../../domain/campaign/package-line.ts"
import {
  type DeliveryEffect,
  type DeliveryItem,
  type DeliverySource,
  judge,
  measuredAt,
  type Receipt,
  readItem,
  receiptAt,
} from "../../domain/delivery/delivery.ts"
import {
  type DeliveryRefusal,
  DUPLICATE,
  malformed,
  NOT_SELLER,
  NOT_STORED,
  refusal,
} from "../../domain/delivery/delivery-message.ts"
import { type DeliveryReport, type DeliveryResult, packageIdSent } from "../../domain/delivery/delivery-result.ts"
import type { DeliveryReceipt, ReportedTotal, SoldLine } from "../../storage/port/store.ts"
import { type Context, type ReportContext, writesOf } from "../context.ts"

/** For whom figures are reported, and through what they came. */
export interface Reporter {
  readonly organizationId: number
  readonly source: DeliverySource
}

export interface ReportOptions {
  /** Judges and answers all the same, but writes nothing. */
  readonly dryRun: boolean
}

/** What was judged is judged again when its terms changed before it was written. Nobody changes them so often in a row. */
export const JUDGED_TIMES_MAX = 10
export const TERMS_KEEP_CHANGING = "the terms of what was reported changed each time before it was written"

/** An item that still stands, as far as it is understood, or why it was refused. */
type Outcome<Standing> = DeliveryRefusal | Standing

function stands<Standing extends object>(outcome: Outcome<Standing>): outcome is Standing {
  return !("reason" in outcome)
}

/** Reads, judges and keeps delivery totals. Each item is accepted or rejected on its own; what is accepted is on disk. */
export async function reportDelivery(
  context: ReportContext,
  { organizationId, source }: Reporter,
  elements: readonly unknown[],
  { dryRun }: ReportOptions,
): Promise<DeliveryReport> {
  const receivedAt = context.clock()
  const read = readAll(elements)
  const packageIds = packageIdsOf(read)
  let outcomes: Outcome<object>[] = read
  try {
    for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
      const terms = await context.store.deliveries.linesSold(organizationId, packageIds)
      const judged = judgeAll(read, terms.found, receiptAt(receivedAt, terms.timeZone))
      outcomes = judged
      const effects = await keepAll(context, judged, { receivedAt, source }, terms.revision, dryRun)
      // Null: somebody changed a line between the two steps.
      if (effects !== null) return reportOf(elements, withEffects(judged, effects), dryRun)
    }
    throw new Error(TERMS_KEEP_CHANGING)
  } catch (cause) {
    context.log.error("delivery totals not kept", cause, { organization: organizationId })
    const failed = outcomes.map((outcome) => (stands(outcome) ? NOT_STORED : outcome))
    return reportOf(elements, failed, dryRun)
  }
}

/** The first well-formed item of a package stands; later ones of the same request are duplicates. */
function readAll(elements: readonly unknown[]): Outcome<DeliveryItem>[] {
  const seen = new Set<string>()
  return elements.map((element) => {
    const item = readItem(element)
    if (item === undefined) return malformed(element)
    if (seen.has(item.packageId)) return DUPLICATE
    seen.add(item.packageId)
    return item
  })
}

function packageIdsOf(read: readonly Outcome<DeliveryItem>[]): PackageId[] {
  return read.filter(stands<DeliveryItem>).map(({ packageId }) => packageId)
}

/** `lines` has the line of each item that still stands, in their order. */
function judgeAll(
  read: readonly Outcome<DeliveryItem>[],
  lines: readonly (SoldLine | undefined)[],
  receipt: Receipt,
): Outcome<ReportedTotal>[] {
  let next = 0
  return read.map((item) => {
    if (!stands(item)) return item
    const line = lines[next++]
    if (line === undefined) return NOT_SELLER
    const reason = judge(item, line, receipt)
    if (reason !== undefined) return refusal(reason, item, line, receipt)
    return { lineId: line.lineId, quantity: item.quantity, asOf: measuredAt(item, receipt) }
  })
}

function keepAll(
  context: Context,
  judged: readonly Outcome<ReportedTotal>[],
  receipt: DeliveryReceipt,
  judgedAt: number,
  dryRun: boolean,
): Promise<DeliveryEffect[] | null> | DeliveryEffect[] {
  const totals = judged.filter(stands<ReportedTotal>)
  if (dryRun) return context.store.deliveries.preview(totals)
  return totals.length === 0 ? [] : writesOf(context).deliveries.keep(totals, receipt, judgedAt)
}

interface Kept {
  readonly effect: DeliveryEffect
}

function withEffects(judged: readonly Outcome<ReportedTotal>[], effects: readonly DeliveryEffect[]): Outcome<Kept>[] {
  let next = 0
  return judged.map((outcome) => {
    if (!stands(outcome)) return outcome
    const effect = effects[next++]
    if (effect === undefined) throw new Error("the store did not say what a total did")
    return { effect }
  })
}

function reportOf(elements: readonly unknown[], outcomes: readonly Outcome<Kept>[], dryRun: boolean): DeliveryReport {
  const results = outcomes.map((outcome, index): DeliveryResult => {
    const package_id = packageIdSent(elements[index])
    if (stands(outcome)) return { index, package_id, status: "accepted", effect: outcome.effect }
    return { index, package_id, status: "rejected", reason: outcome.reason, message: outcome.message }
  })
  const rejected = results.filter(({ status }) => status === "rejected").length
  const report = { accepted: outcomes.length - rejected, rejected, results }
  return dryRun ? { ...report, dry_run: true } : report
}
