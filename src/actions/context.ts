import type { Moment } from "../domain/time/moment.ts"
import type { Store, StoreReads, StoreWrites } from "../storage/port/store.ts"
import type { ReadTx, Step, Tx } from "../storage/steps/step.ts"

/** What an action works with. Doors hold it too, but can only read. Clock and random source are passed in, so that tests control them. */
export interface Context {
  readonly store: StoreReads
  readonly clock: () => Moment
  readonly random: (bytes: number) => Uint8Array
}

/** For actions that answer even after an internal error, and log its cause. */
export interface ReportContext extends Context {
  readonly log: {
    error(event: string, cause: unknown, fields?: Readonly<Record<string, string | number>>): void
  }
}

/** The writing half of the store, which the type of a context hides. test/architecture.test.ts allows only actions to call this. */
export function writesOf({ store }: Pick<Context, "store">): StoreWrites {
  return store as Store
}

/** Runs a step as a transaction of its own. */
export function transact<Result>(context: Pick<Context, "store">, work: (tx: Tx) => Step<Result>): Promise<Result> {
  return writesOf(context).transact(work)
}

/** Runs a step that nobody waits for, beside others of its kind. */
export function transactBeside<Result>(
  context: Pick<Context, "store">,
  work: (tx: Tx) => Step<Result>,
): Promise<Result> {
  return writesOf(context).transactBeside(work)
}

/** Reads what no door may see, such as what a sign-in is checked against. */
export function query<Result>({ store }: Pick<Context, "store">, work: (tx: ReadTx) => Step<Result>): Promise<Result> {
  return (store as Store).query(work)
}
