import type { Caches } from "./caches.ts"
import type { Pools } from "./connect.ts"
import type { Access, Revisions } from "./transaction.ts"
import type { WriteQueue } from "./write-queue.ts"

/** What every part of this engine works with. */
export interface Connection extends Access {
  readonly pools: Pools
  readonly caches: Caches
  /** The only way to write figures, and small writes that go along with them. */
  readonly write: WriteQueue
}

/** Asks for the revisions: once for all who want to know in the same turn. */
export function revisionsOnce({ read, caches }: Pick<Connection, "read" | "caches">): () => Promise<void> {
  let asking: Promise<void> | null = null
  const ask = async () => {
    const [now] = await read(({ rows }) => rows<Revisions>("SELECT terms, catalogue FROM revision"))
    if (now !== undefined) caches.saw(now.terms, now.catalogue)
  }
  return () => {
    if (asking === null) {
      asking = ask()
      setImmediate(() => {
        asking = null
      })
    }
    return asking
  }
}
