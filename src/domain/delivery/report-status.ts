import type { DeliveryTotal } from "./delivery.ts"

/** A report in the history: the current total, replaced by a correction for the same time, superseded by a newer one, or withdrawn. */
export type ReportStatus = "current" | "corrected" | "superseded" | "withdrawn"

export function reportStatusOf(
  report: DeliveryTotal & { readonly withdrawn: object | null },
  current: DeliveryTotal | null,
): ReportStatus {
  if (report.withdrawn !== null) return "withdrawn"
  if (current === null || report.asOf !== current.asOf) return "superseded"
  return report.quantity === current.quantity ? "current" : "corrected"
}
