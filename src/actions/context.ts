import type { Moment } from "../domain/time/moment.ts"
import type { Store } from "../storage/port/store.ts"

/** What an action works with. Time and chance are handed in, so that tests own them. */
export interface Context {
  readonly store: Store
  readonly clock: () => Moment
  readonly random: (bytes: number) => Uint8Array
}

/** For actions that answer even when something of ours fails: the cause goes to the log. */
export interface ReportContext extends Context {
  readonly log: {
    error(event: string, cause: unknown, fields?: Readonly<Record<string, string | number>>): void
  }
}
