import type { Part } from "../../harness/part.ts"
import { databaseKill } from "./database-kill.ts"
import { cut } from "./cut.ts"
import { frozen } from "./frozen.ts"
import { limits } from "./limits.ts"
import { replicaKill } from "./replica-kill.ts"

/** In the order in which they run: the long ones come last. */
export const POSTGRES_PARTS: readonly Part[] = [cut, frozen, limits, replicaKill, databaseKill]
