import type { DeliveryTotal } from "./delivery.ts"

/** What a report in the history is: the current total, replaced by a correction of the same time, or behind a newer one. */
export type Standing = "current" | "corrected" | "superseded"

export function standingOf(report: DeliveryTotal, current: DeliveryTotal | null): Standing {
  if (current === null || report.asOf !== current.asOf) return "superseded"
  return report.quantity === current.quantity ? "current" : "corrected"
}
