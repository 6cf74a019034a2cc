import { type Static, Type } from "@sinclair/typebox"
import { isObject } from "../schema/batch.ts"
import { DryRun, literals, object } from "../schema/schema-helpers.ts"
import { DELIVERY_EFFECTS, DELIVERY_REASONS, type DeliveryTotal } from "./delivery.ts"

export const DeliveryResult = object(
  {
    index: Type.Integer({ minimum: 0, description: "Zero-based position of the item in the request." }),
    package_id: Type.String({ description: "The package_id of the item as sent; empty if it had none." }),
    status: literals(["accepted", "rejected"]),
    "effect?": literals(
      DELIVERY_EFFECTS,
      "Present when accepted. applied: it is the current total now. unchanged: same total as before. " +
        "older_than_current: kept in the history, but there is a newer total.",
    ),
    "reason?": literals(DELIVERY_REASONS, "Present when rejected. The first of these that holds, in this order."),
    "message?": Type.String({
      description:
        "Present when rejected: what is wrong, in a sentence that names the field. For people; it may change.",
    }),
  },
  {
    oneOf: [
      { properties: { status: { const: "accepted" }, effect: {} }, required: ["effect"] },
      { properties: { status: { const: "rejected" }, reason: {}, message: {} }, required: ["reason", "message"] },
    ],
  },
)
export type DeliveryResult = Static<typeof DeliveryResult>

export const DeliveryReport = object({
  accepted: Type.Integer({ minimum: 0, description: "Number of accepted items." }),
  rejected: Type.Integer({ minimum: 0, description: "Number of rejected items." }),
  results: Type.Array(DeliveryResult, { description: "One result per item, in request order." }),
  "dry_run?": DryRun,
})
export type DeliveryReport = Static<typeof DeliveryReport>

export function packageIdSent(element: unknown): string {
  const sent = isObject(element) ? element["package_id"] : undefined
  return typeof sent === "string" ? sent : ""
}

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
