import type { Moment } from "../domain/time/moment.ts"
import type { Store, StoreReads, StoreSecrets, StoreWrites } from "../storage/port/store.ts"

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
 * What an action may write. Every context holds a whole store; its type only hides what doors must not use, and
 * test/architecture.test.ts lets nobody but actions ask for the rest.
 */
export function writesOf({ store }: Pick<Context, "store">): StoreWrites {
  return store as Store
}

/** What an action checks a sign-in against. Hidden from doors in the same way. */
export function secretsOf({ store }: Pick<Context, "store">): StoreSecrets {
  return store as Store
}
