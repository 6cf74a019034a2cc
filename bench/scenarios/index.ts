import type { Scenario } from "../harness/scenario.ts"
import { disk } from "./disk.ts"
import { hiddenProducts } from "./hidden-products.ts"
import { hotPathScenarios } from "./hot-paths.ts"
import { https } from "./https.ts"
import { memory } from "./memory.ts"
import { postgresBatches, postgresSingle } from "./postgres-delivery.ts"
import { postgresMove } from "./postgres-move.ts"
import { size } from "./size.ts"
import { start } from "./start.ts"
import { upload } from "./upload.ts"
import { waits } from "./waits.ts"
import { year } from "./year.ts"

/** In the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...hotPathScenarios,
  https,
  year,
  hiddenProducts,
  waits,
  upload,
  disk,
  postgresBatches,
  postgresSingle,
  postgresMove,
  start,
  memory,
  size,
]
