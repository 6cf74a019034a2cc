import {
  type DeliveryEffect,
  type DeliveryReason,
  type DeliveryTotal,
  receiptAt,
} from "../../domain/delivery/delivery.ts"
import { answerTo, type TotalQuestion } from "../../domain/delivery/total-questions.ts"
import type { PreviewedTotal } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { askedOf, previewDelivery, type ZonedReporter } from "./preview-delivery.ts"
import { savePreviewed } from "./save-previewed.ts"

export type TotalOutcome =
  | { readonly outcome: "refused"; readonly reason: DeliveryReason }
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
    return { outcome: "refused", reason: "internal_error" }
  }
}

async function tryToReport(
  context: ReportContext,
  reporter: ZonedReporter,
  element: unknown,
  answer: string,
): Promise<TotalOutcome | "outdated"> {
  const receipt = receiptAt(context.clock(), reporter.timeZone)
  const [report] = await previewDelivery(context.store, reporter.organizationId, receipt, [element], () =>
    Promise.resolve(),
  )
  if (report === undefined || !report.taken) return { outcome: "refused", reason: report?.reason ?? "internal_error" }
  const { total, questions } = report
  const expected = answerTo([askedOf(report)])
  if (expected !== "" && expected !== answer) return { outcome: "asked", total, questions, answer: expected }
  const [saved = "outdated"] = await savePreviewed(context, reporter, [report], receipt.now)
  if (saved === "outdated") return saved
  return "reason" in saved
    ? { outcome: "refused", reason: saved.reason }
    : { outcome: "saved", effect: saved.effect, total }
}
