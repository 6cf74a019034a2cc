import type { Scenario } from "../harness/scenario.ts"
import { affiliateMetrics } from "./affiliate-metrics.ts"
import { creativeFormats } from "./creative-formats.ts"
import { deliveryBatches } from "./delivery-batches.ts"
import { deliverySingle } from "./delivery-single.ts"
import { products } from "./products.ts"

/** In the order of the table. */
export const scenarios: readonly Scenario[] = [
  deliveryBatches,
  deliverySingle,
  affiliateMetrics,
  creativeFormats,
  products,
]
