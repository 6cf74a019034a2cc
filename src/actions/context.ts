import type { Moment } from "../domain/time/moment.ts"
import type { Store, StoreReads, StoreWrites } from "../storage/port/store.ts"

/** What an action works with. Doors hold it too, and can only read. Time and chance are handed in, so that tests own them. */
export interface Context {
  readonly store: StoreReads
  readonly clock: () => Moment
  readonly random: (bytes: number) => Uint8Array
}

/** For actions that answer even when something of ours fails: the cause goes to the log. */
export interface ReportContext extends Context {
  readonly log: {
    error(event: string, cause: unknown, fields?: Readonly<Record<string, string | number>>): void
  }
}

/**
 * What an action may write. Whoever opens a store opens a whole one; a context only does not show its writing half, and
 * test/architecture.test.ts lets nobody but actions ask for it.
 */
export function writesOf({ store }: Pick<Context, "store">): StoreWrites {
  return store as Store
}
