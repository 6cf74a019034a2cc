import type { DeliveryEffect, DeliveryItem, DeliveryReason, Receipt } from "../../domain/delivery/delivery.ts"
import { type DeliveryTotal, judge, measuredAt, readItem, receiptAt } from "../../domain/delivery/delivery.ts"
import type { Neighbours, TotalQuestion } from "../../domain/delivery/total-questions.ts"
import { answerTo, neighboursIn, questionsAbout } from "../../domain/delivery/total-questions.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { PreviewedTotal, SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import { type Context, type ReportContext, writesOf } from "../context.ts"
import { JUDGED_TIMES_MAX, type Reporter, TERMS_KEEP_CHANGING } from "./report-delivery.ts"

/** A reporter with the time zone of the seller. */
export type ZonedReporter = Reporter & { readonly timeZone: TimeZone }

type Refused = { readonly outcome: "refused"; readonly reason: DeliveryReason }

interface QuestionedTotal {
  readonly outcome: "asked"
  readonly total: PreviewedTotal
  readonly questions: readonly TotalQuestion[]
  /** Sent with the report to confirm it. */
  readonly answer: string
}

export type TotalOutcome =
  | Refused
  | QuestionedTotal
  | { readonly outcome: "saved"; readonly effect: DeliveryEffect; readonly total: PreviewedTotal }

/** A total that could be saved. What was asked about it is answered. */
type ReadyTotal = Omit<QuestionedTotal, "outcome"> & Readonly<{ outcome: "ready"; item: DeliveryItem }>

export interface EnteredTotal {
  readonly element: unknown
  /** The answer to the questions that were asked about it; "" when none were. */
  readonly answer: string
  readonly isConfirmed: boolean
}

export type TotalsOutcome =
  /** Something is refused, or has to be asked: nothing is saved. */
  | { readonly isSaved: false; readonly outcomes: readonly (Refused | QuestionedTotal | ReadyTotal)[] }
  /** Everything is saved that was not asked about, or was confirmed. */
  | { readonly isSaved: true; readonly receivedAt: Moment; readonly outcomes: readonly TotalOutcome[] }

// Another total of the same line may arrive while this one is checked; not this many times in a row.
const TRIES_MAX = 5
const SAVED_AT_ONCE = 500

/**
 * Reports totals of different lines for a person, by the rules of the API, but asks about likely mistakes first. A confirmation counts
 * only for the questions it was given to: if the current total has changed since, they are asked again. What was asked and is not
 * confirmed is left out.
 */
export async function reportTotals(
  context: ReportContext,
  reporter: ZonedReporter,
  entered: readonly EnteredTotal[],
): Promise<TotalsOutcome> {
  const receivedAt = context.clock()
  const saving = { outcomes: entered.map((): TotalOutcome => refused("internal_error")), receivedAt }
  try {
    const checked = await check(context, reporter, entered, receivedAt)
    if (checked.some((outcome, i) => isUndecided(outcome, entered[i]))) return { isSaved: false, outcomes: checked }
    await saveAll(context, reporter, entered, checked, saving)
  } catch (cause) {
    context.log.error("delivery totals not saved", cause, { organization: reporter.organizationId })
  }
  return { isSaved: true, ...saving }
}

/** What would become of them. Nothing is saved. */
export const checkTotals = (context: ReportContext, reporter: ZonedReporter, entered: readonly EnteredTotal[]) =>
  check(context, reporter, entered, context.clock())

const refused = (reason: DeliveryReason): Refused => ({ outcome: "refused", reason })

/** Whether somebody has to look at it first. */
function isUndecided(outcome: Refused | QuestionedTotal | ReadyTotal, entered: EnteredTotal | undefined): boolean {
  if (outcome.outcome === "ready") return false
  return outcome.outcome === "refused" || outcome.answer !== entered?.answer
}

async function check(
  context: ReportContext,
  { organizationId, timeZone }: ZonedReporter,
  entered: readonly EnteredTotal[],
  receivedAt: Moment,
): Promise<(Refused | QuestionedTotal | ReadyTotal)[]> {
  const receipt = receiptAt(receivedAt, timeZone)
  const items = entered.map(({ element }) => readItem(element))
  const packageIds = items.flatMap((item) => item?.packageId ?? [])
  const sold = await context.store.packageLines.findSold(organizationId, packageIds)
  const lines = new Map(packageIds.map((packageId, i) => [packageId, sold[i]]))
  return Promise.all(
    entered.map(async ({ answer, isConfirmed }, i) => {
      const item = items[i]
      if (item === undefined) return refused("invalid_item")
      const line = lines.get(item.packageId)
      const reason = judge(item, line, receipt)
      if (reason !== undefined || line === undefined) return refused(reason ?? "not_seller")
      const asOf = measuredAt(item, receipt)
      const total = { lineId: line.lineId, quantity: item.quantity, asOf, before: line.total }
      const questions = await questionsOf(context.store, line, total, receipt)
      const expected = answerTo([{ lineId: line.lineId, current: line.total, quantity: item.quantity, questions }])
      const isAnswered = expected === "" || (isConfirmed && expected === answer)
      const question = { total, questions, answer: expected }
      return isAnswered ? { outcome: "ready", item, ...question } : { outcome: "asked", ...question }
    }),
  )
}

const NO_NEIGHBOURS: Neighbours = { earlier: undefined, later: undefined }

async function questionsOf(store: StoreReads, line: SoldLineWithTotal, total: DeliveryTotal, { zone }: Receipt) {
  if (line.total === null || total.asOf >= line.total.asOf) return questionsAbout(total, line, NO_NEIGHBOURS, zone)
  const days = (await store.deliveryHistory.days([line.lineId])).get(line.lineId) ?? []
  return questionsAbout(total, line, neighboursIn(days)(total.asOf), zone)
}

/** What another report has overtaken is checked again, and may have to be asked about now. */
async function saveAll(
  context: ReportContext,
  reporter: ZonedReporter,
  entered: readonly EnteredTotal[],
  checked: readonly (Refused | QuestionedTotal | ReadyTotal)[],
  saving: { readonly outcomes: TotalOutcome[]; receivedAt: Moment },
): Promise<void> {
  const { outcomes } = saving
  let unsaved = [...checked.entries()]
  for (let tries = 0; unsaved.length > 0; tries++) {
    if (tries === TRIES_MAX) throw new Error("the current totals kept changing")
    const ready = unsaved.flatMap(([i, outcome]) => (outcome.outcome === "ready" ? [{ i, ...outcome }] : []))
    for (const [i, outcome] of unsaved) if (outcome.outcome !== "ready") outcomes[i] = outcome
    const outdated: number[] = []
    for (const some of inParts(ready, SAVED_AT_ONCE))
      for (const [at, saved] of (await save(context, reporter, some, saving.receivedAt)).entries()) {
        const i = some[at]?.i ?? 0
        if (saved === "outdated") outdated.push(i)
        else outcomes[i] = saved
      }
    // What is saved together was received together.
    if (!outcomes.some(({ outcome }) => outcome === "saved")) saving.receivedAt = context.clock()
    const again = outdated.flatMap((i) => entered[i] ?? [])
    const recheck = again.length === 0 ? [] : await check(context, reporter, again, saving.receivedAt)
    unsaved = recheck.map((outcome, at) => [outdated[at] ?? 0, outcome])
  }
}

/** Checked again at the commit, because a line may have been edited since. */
async function save(
  context: Context,
  { organizationId, source }: Reporter,
  ready: readonly ReadyTotal[],
  receivedAt: Moment,
): Promise<(TotalOutcome | "outdated")[]> {
  const packageIds = ready.map(({ item }) => item.packageId)
  for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
    const terms = await context.store.deliveries.linesSold(organizationId, packageIds)
    const receipt = receiptAt(receivedAt, terms.timeZone)
    const reasons = ready.map(({ item }, i) => judge(item, terms.items[i], receipt))
    const totals = ready.map(({ item, total }) => ({ ...total, asOf: measuredAt(item, receipt) }))
    const accepted = totals.filter((_, i) => reasons[i] === undefined)
    const { deliveries } = writesOf(context)
    const receipts = { receivedAt, source, timeZone: terms.timeZone }
    const effects =
      accepted.length === 0 ? [] : await deliveries.recordUnlessOutdated(accepted, receipts, terms.revision)
    if (effects === null) continue
    const effectOf = new Map(accepted.map((total, i) => [total, effects[i] ?? "outdated"]))
    return totals.map((total, i) => {
      const reason = reasons[i]
      const effect = effectOf.get(total) ?? "outdated"
      if (reason !== undefined) return refused(reason)
      return effect === "outdated" ? effect : { outcome: "saved", effect, total }
    })
  }
  throw new Error(TERMS_KEEP_CHANGING)
}
