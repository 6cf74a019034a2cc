import type { DeliveryTotal } from "./delivery.ts"

export interface Standing {
  readonly isCurrent: boolean
  /** A sentence. */
  readonly why: string
}

/** Whether a report is the current total, and why or why not. */
export function standingOf(report: DeliveryTotal, current: DeliveryTotal | null): Standing {
  if (current === null) return { isCurrent: false, why: "" }
  if (report.asOf === current.asOf && report.quantity === current.quantity) {
    return { isCurrent: true, why: "Measured last." }
  }
  if (report.asOf === current.asOf) {
    return { isCurrent: false, why: "Another total of the same time arrived later." }
  }
  return { isCurrent: false, why: "A total that was measured later stands." }
}
