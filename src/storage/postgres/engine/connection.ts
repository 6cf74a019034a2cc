import type { Caches } from "./caches.ts"
import type { Pools } from "./connect.ts"
import type { Access } from "./transaction.ts"
import type { WriteQueue } from "./write-queue.ts"

/** What every part of this engine works with. */
export interface Connection extends Access {
  readonly pools: Pools
  readonly caches: Caches
  /** The only way to write figures, and small writes that go along with them. */
  readonly write: WriteQueue
}
