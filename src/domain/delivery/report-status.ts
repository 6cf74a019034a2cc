import type { DeliveryTotal } from "./delivery.ts"

/** A report in the history: the current total, replaced by a correction for the same time, or superseded by a newer one. */
export type ReportStatus = "current" | "corrected" | "superseded"

export function reportStatusOf(report: DeliveryTotal, current: DeliveryTotal | null): ReportStatus {
  if (current === null || report.asOf !== current.asOf) return "superseded"
  return report.quantity === current.quantity ? "current" : "corrected"
}
