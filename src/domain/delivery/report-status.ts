import type { DeliveryTotal } from "./delivery.ts"

/** What a report in the history is: the current total, replaced by a correction of the same time, or behind a newer one. */
export type ReportStatus = "current" | "corrected" | "superseded"

export function reportStatusOf(report: DeliveryTotal, current: DeliveryTotal | null): ReportStatus {
  if (current === null || report.asOf !== current.asOf) return "superseded"
  return report.quantity === current.quantity ? "current" : "corrected"
}
