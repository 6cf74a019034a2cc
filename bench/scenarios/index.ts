import type { Scenario } from "../harness/scenario.ts"
import { affiliateMetrics } from "./affiliate-metrics.ts"
import { briefs } from "./briefs.ts"
import { campaignPage } from "./campaign-page.ts"
import { creativeFormats } from "./creative-formats.ts"
import { deliveryBatches } from "./delivery-batches.ts"
import { deliverySingle } from "./delivery-single.ts"
import { disk } from "./disk.ts"
import { growthHistory } from "./growth-history.ts"
import { growthProducts } from "./growth-products.ts"
import { hiddenProducts } from "./hidden-products.ts"
import { latency } from "./latency.ts"
import { memory } from "./memory.ts"
import { postgresCpu } from "./postgres-cpu.ts"
import { postgresBatches, postgresSingle } from "./postgres-delivery.ts"
import { postgresMove } from "./postgres-move.ts"
import { postgresProducts } from "./postgres-products.ts"
import { products, productsByBudget } from "./products.ts"
import { size } from "./size.ts"
import { start } from "./start.ts"
import { upload } from "./upload.ts"
import { waits } from "./waits.ts"

/** In the order of the table. */
export const scenarios: readonly Scenario[] = [
  deliveryBatches,
  deliverySingle,
  affiliateMetrics,
  creativeFormats,
  products,
  productsByBudget,
  hiddenProducts,
  briefs,
  growthHistory,
  growthProducts,
  latency,
  campaignPage,
  waits,
  upload,
  disk,
  postgresBatches,
  postgresSingle,
  postgresProducts,
  postgresCpu,
  postgresMove,
  start,
  memory,
  size,
]
