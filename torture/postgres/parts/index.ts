import type { Part } from "../../harness/part.ts"
import { clocks } from "./clocks.ts"
import { connections } from "./connections.ts"
import { cut } from "./cut.ts"
import { databaseKill } from "./database-kill.ts"
import { failover } from "./failover.ts"
import { frozen } from "./frozen.ts"
import { limits } from "./limits.ts"
import { pgbouncer } from "./pgbouncer.ts"
import { recipes } from "./recipes.ts"
import { replicaKill } from "./replica-kill.ts"
import { upgradeUnderLoad } from "./upgrade-under-load.ts"

/** In the order in which they run: the long ones come last. */
export const POSTGRES_PARTS: readonly Part[] = [
  clocks,
  connections,
  pgbouncer,
  cut,
  frozen,
  failover,
  recipes,
  limits,
  replicaKill,
  databaseKill,
  upgradeUnderLoad,
]
