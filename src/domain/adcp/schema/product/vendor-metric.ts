import { Type } from "@sinclair/typebox"
import { choice, closed, optional } from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"

export const VendorMetricId = Type.String({ minLength: 1, maxLength: 64, pattern: "^[a-z][a-z0-9_]*$" })

export const VendorMetricOptimizationSupportedMetric = Type.Object(
  {
    vendor: BrandRef,
    metric_id: VendorMetricId,
    ...optional({ supported_targets: Type.Array(choice("cost_per threshold_rate"), { uniqueItems: true }) }),
  },
  closed,
)

export const VendorMetricOptimization = Type.Object({
  supported_metrics: Type.Array(VendorMetricOptimizationSupportedMetric, { uniqueItems: true }),
})
