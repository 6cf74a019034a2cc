import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"

export const VendorMetricId = Type.String({ minLength: 1, maxLength: 64, pattern: "^[a-z][a-z0-9_]*$" })

export const VendorMetricOptimizationSupportedMetric = Type.Object(
  {
    vendor: BrandRef,
    metric_id: VendorMetricId,
    ...s.optional({ supported_targets: s.unique(s.choice("cost_per threshold_rate")) }),
  },
  s.closed,
)

export const VendorMetricOptimization = Type.Object({
  supported_metrics: s.unique(VendorMetricOptimizationSupportedMetric),
})
