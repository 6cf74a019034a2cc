import { AffiliateMetricInput } from "../../domain/affiliate/affiliate-metric.ts"
import { AffiliateCodeInput, AffiliateReport, RowError } from "../../domain/affiliate/affiliate-report.ts"
import { DeliveryItemInput } from "../../domain/delivery/delivery.ts"
import { DeliveryReport, DeliveryResult } from "../../domain/delivery/delivery-result.ts"
import { Problem } from "../../domain/failure.ts"
import { FileReport } from "../../domain/upload/file-report.ts"

const NAMES = new Map<unknown, string>([
  [DeliveryItemInput, "DeliveryItem"],
  [DeliveryResult, "DeliveryResult"],
  [DeliveryReport, "DeliveryReport"],
  [AffiliateCodeInput, "AffiliateCodeRow"],
  [AffiliateMetricInput, "AffiliateMetricRow"],
  [RowError, "AffiliateRowError"],
  [AffiliateReport, "AffiliateReport"],
  [FileReport, "FileReport"],
  [Problem, "Problem"],
])

/** The `components.schemas` of the OpenAPI document. */
export const namedSchemas = (): object =>
  Object.fromEntries([...NAMES].map(([schema, name]) => [name, published(schema, schema)]))

/** A schema for the document: named parts become references, unions of literals become enums. */
export function published(value: unknown, root?: unknown): unknown {
  const name = NAMES.get(value)
  if (name !== undefined && value !== root) return { $ref: `#/components/schemas/${name}` }
  if (Array.isArray(value)) return value.map((element) => published(element))
  if (typeof value !== "object" || value === null) return value
  const { anyOf, ...rest } = value as { anyOf?: { const?: unknown }[] }
  if (anyOf?.every((choice) => choice.const !== undefined)) {
    return { type: typeof anyOf[0]?.const, enum: anyOf.map((choice) => choice.const), ...rest }
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, published(part)]))
}
