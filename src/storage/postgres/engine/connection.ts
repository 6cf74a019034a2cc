import type { Caches } from "./caches.ts"
import type { Pools } from "./connect.ts"
import type { Access } from "./transaction.ts"

/** What every part of this engine works with. */
export interface Connection extends Access {
  readonly pools: Pools
  readonly caches: Caches
}
