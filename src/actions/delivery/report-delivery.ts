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
import type { AnswerBy } from "../../storage/port/answer-by.ts"
import type { DeliveryReceipt, ReportedTotal, SoldLine } from "../../storage/port/store.ts"
import { type Context, type ReportContext, writesOf } from "../context.ts"

/** The organization that reports, the source of its figures, and by when it has to be answered. */
export interface Reporter {
  readonly organizationId: number
  readonly source: DeliverySource
  readonly answerBy?: AnswerBy
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

function isAccepted<Accepted extends object>(outcome: Outcome<Accepted>): outcome is Accepted {
  return !("reason" in outcome)
}

/** Parses, checks and stores delivery totals. Each item is accepted or rejected on its own; accepted items are on disk. */
export async function reportDelivery(
  context: ReportContext,
  { organizationId, source, answerBy }: Reporter,
  elements: readonly unknown[],
  { dryRun }: ReportOptions,
): Promise<DeliveryReport> {
  const receivedAt = context.clock()
  const read = readAll(elements)
  const packageIds = packageIdsOf(read)
  let outcomes: Outcome<object>[] = read
  try {
    for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
      const terms = await context.store.deliveries.linesSold(organizationId, packageIds, answerBy)
      const judged = judgeAll(read, terms.found, receiptAt(receivedAt, terms.timeZone))
      outcomes = judged
      const effects = await saveAll(context, judged, { receivedAt, source, answerBy }, terms.revision, dryRun)
      // Null: a line changed between the two steps.
      if (effects !== null) return reportOf(elements, withEffects(judged, effects), dryRun)
    }
    throw new Error(TERMS_KEEP_CHANGING)
  } catch (cause) {
    context.log.error("delivery totals not saved", cause, { organization: organizationId })
    const failed = outcomes.map((outcome) => (isAccepted(outcome) ? NOT_STORED : outcome))
    return reportOf(elements, failed, dryRun)
  }
}

/** The first well-formed item of a package counts; later ones in the same request are duplicates. */
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
  return read.filter(isAccepted<DeliveryItem>).map(({ packageId }) => packageId)
}

/** `lines` has the line of each accepted item, in order. */
function judgeAll(
  read: readonly Outcome<DeliveryItem>[],
  lines: readonly (SoldLine | undefined)[],
  receipt: Receipt,
): Outcome<ReportedTotal>[] {
  let next = 0
  return read.map((item) => {
    if (!isAccepted(item)) return item
    const line = lines[next++]
    if (line === undefined) return NOT_SELLER
    const reason = judge(item, line, receipt)
    if (reason !== undefined) return refusal(reason, item, line, receipt)
    return { lineId: line.lineId, quantity: item.quantity, asOf: measuredAt(item, receipt) }
  })
}

function saveAll(
  context: Context,
  judged: readonly Outcome<ReportedTotal>[],
  receipt: DeliveryReceipt,
  termsRevision: number,
  dryRun: boolean,
): Promise<DeliveryEffect[] | null> | DeliveryEffect[] {
  const totals = judged.filter(isAccepted<ReportedTotal>)
  if (dryRun) return context.store.deliveries.preview(totals, receipt.answerBy)
  return totals.length === 0 ? [] : writesOf(context).deliveries.record(totals, receipt, termsRevision)
}

interface Accepted {
  readonly effect: DeliveryEffect
}

function withEffects(
  judged: readonly Outcome<ReportedTotal>[],
  effects: readonly DeliveryEffect[],
): Outcome<Accepted>[] {
  let next = 0
  return judged.map((outcome) => {
    if (!isAccepted(outcome)) return outcome
    const effect = effects[next++]
    if (effect === undefined) throw new Error("the store did not say what a total did")
    return { effect }
  })
}

function reportOf(
  elements: readonly unknown[],
  outcomes: readonly Outcome<Accepted>[],
  dryRun: boolean,
): DeliveryReport {
  const results = outcomes.map((outcome, index): DeliveryResult => {
    const package_id = packageIdSent(elements[index])
    if (isAccepted(outcome)) return { index, package_id, status: "accepted", effect: outcome.effect }
    return { index, package_id, status: "rejected", reason: outcome.reason, message: outcome.message }
  })
  const rejected = results.filter(({ status }) => status === "rejected").length
  const report = { accepted: outcomes.length - rejected, rejected, results }
  return dryRun ? { ...report, dry_run: true } : report
}
