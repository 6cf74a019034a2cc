import type { Moment } from "../domain/moment.ts"
import type { Store } from "../storage/store.ts"

/** What an action works with. Time and chance are handed in, so that tests own them. */
export interface Context {
  readonly store: Store
  readonly clock: () => Moment
  readonly random: (bytes: number) => Uint8Array
}
