import {
  type DeliveryEffect,
  type DeliveryItem,
  type DeliveryReason,
  type DeliveryTotal,
  judge,
  measuredAt,
  type Receipt,
  readItem,
  receiptAt,
} from "../../domain/delivery/delivery.ts"
import {
  answerTo,
  type Neighbours,
  neighboursIn,
  questionsAbout,
  type TotalQuestion,
} from "../../domain/delivery/total-questions.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { PreviewedTotal, SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import { type Context, type ReportContext, writesOf } from "../context.ts"
import { historySince } from "./history-since.ts"
import { JUDGED_TIMES_MAX, type Reporter, TERMS_KEEP_CHANGING } from "./report-delivery.ts"

/** A reporter with the time zone of the seller. */
export interface ZonedReporter extends Reporter {
  readonly timeZone: TimeZone
}

type Refused = { readonly outcome: "refused"; readonly reason: DeliveryReason }

export type TotalOutcome =
  | Refused
  | {
      readonly outcome: "asked"
      readonly total: PreviewedTotal
      readonly questions: readonly TotalQuestion[]
      /** Sent with the report to confirm it. */
      readonly answer: string
    }
  | { readonly outcome: "saved"; readonly effect: DeliveryEffect; readonly total: DeliveryTotal }

// Another total of the same line may arrive while this one is checked; not this many times in a row.
const TRIES_MAX = 5

/**
 * Reports one total for a person, by the rules of the API, but asks about likely mistakes first. A confirmation counts only for the
 * questions it was given to: if the current total has changed since, they are asked again.
 */
export async function reportTotal(
  context: ReportContext,
  reporter: ZonedReporter,
  element: unknown,
  answer: string,
): Promise<TotalOutcome> {
  try {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const outcome = await tryToReport(context, reporter, element, answer)
      if (outcome !== "outdated") return outcome
    }
    throw new Error("the current total kept changing")
  } catch (cause) {
    context.log.error("delivery total not saved", cause, { organization: reporter.organizationId })
    return refused("internal_error")
  }
}

const refused = (reason: DeliveryReason): Refused => ({ outcome: "refused", reason })

async function tryToReport(
  context: ReportContext,
  reporter: ZonedReporter,
  element: unknown,
  answer: string,
): Promise<TotalOutcome | "outdated"> {
  const receipt = receiptAt(context.clock(), reporter.timeZone)
  const item = readItem(element)
  if (item === undefined) return refused("invalid_item")
  const [line] = await context.store.packageLines.findSold(reporter.organizationId, [item.packageId])
  const reason = judge(item, line, receipt)
  if (reason !== undefined || line === undefined) return refused(reason ?? "not_seller")
  const total = { lineId: line.lineId, quantity: item.quantity, asOf: measuredAt(item, receipt), before: line.total }
  const questions = await questionsOf(context.store, line, total, receipt)
  const expected = answerTo([{ lineId: line.lineId, current: line.total, quantity: item.quantity, questions }])
  if (expected !== "" && expected !== answer) return { outcome: "asked", total, questions, answer: expected }
  return save(context, reporter, item, total, receipt.now)
}

const NO_NEIGHBOURS: Neighbours = { earlier: undefined, later: undefined }

async function questionsOf(
  store: StoreReads,
  line: SoldLineWithTotal,
  total: DeliveryTotal,
  { zone }: Receipt,
): Promise<TotalQuestion[]> {
  if (line.total === null || total.asOf >= line.total.asOf) return questionsAbout(total, line, NO_NEIGHBOURS, zone)
  const history = await historySince(store, line.lineId, total.asOf)
  return questionsAbout(total, line, neighboursIn([...history, line.total])(total.asOf), zone)
}

/** Checked again at the commit, because the line may have been edited since. */
async function save(
  context: Context,
  { organizationId, source }: Reporter,
  item: DeliveryItem,
  total: PreviewedTotal,
  receivedAt: Moment,
): Promise<TotalOutcome | "outdated"> {
  for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
    const terms = await context.store.deliveries.linesSold(organizationId, [item.packageId])
    const receipt = receiptAt(receivedAt, terms.timeZone)
    const reason = judge(item, terms.found[0], receipt)
    if (reason !== undefined) return refused(reason)
    const saved = { ...total, asOf: measuredAt(item, receipt) }
    const { deliveries } = writesOf(context)
    const effects = await deliveries.recordUnlessOutdated([saved], { receivedAt, source }, terms.revision)
    const [effect = "outdated"] = effects ?? []
    if (effects !== null) return effect === "outdated" ? effect : { outcome: "saved", effect, total: saved }
  }
  throw new Error(TERMS_KEEP_CHANGING)
}
