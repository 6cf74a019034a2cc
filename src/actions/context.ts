import type { Change } from "../domain/people/audit.ts"
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
export const writesOf = ({ store }: Pick<Context, "store">): StoreWrites => store as Store

export const transact = <Result>(context: Pick<Context, "store">, work: (tx: Tx) => Step<Result>): Promise<Result> =>
  writesOf(context).transact(work)

/** Who makes a change, and what was seen before. */
type Author = string | Omit<Change, "at">

type Dated = Pick<Context, "store" | "clock">

/** A verb that is one step: a transaction of its own, dated now. In a larger transaction it is its `step`. */
export function verb<Given extends readonly unknown[], Result>(
  step: (tx: Tx, ...given: [...Given, by: Change]) => Step<Result>,
) {
  const run = (context: Dated, ...input: [...Given, by: Author]) => {
    const given = input.slice(0, -1) as unknown as Given
    const author = input.at(-1) as Author
    const by = { ...(typeof author === "string" ? { actor: author } : author), at: context.clock() }
    return transact(context, (tx) => step(tx, ...given, by))
  }
  return Object.assign(run, { step })
}

/** The same, for a step that begins with the id of what somebody owns. */
export function verbOf<Given extends readonly unknown[], Result>(
  step: (tx: Tx, id: number, ...given: [...Given, by: Change]) => Step<Result>,
) {
  const run = verb<[number, ...Given], Result>(step as Parameters<typeof verb<[number, ...Given], Result>>[0])
  const runFor = (context: Dated, { id }: { readonly id: number }, ...given: [...Given, by: Author]) =>
    run(context, id, ...given)
  return Object.assign(runFor, { step })
}

/** Wrong fields of what was typed: nothing was written. */
export type Refused<Errors> = Readonly<{ outcome: "refused"; errors: Errors }>

/** changed: somebody else has edited it meanwhile. */
export type Edited<Errors> =
  | Refused<Errors>
  | Readonly<{ outcome: "done" }>
  | Readonly<{ outcome: "not found" | "changed" }>

/** Runs a step that nobody waits for, beside others of its kind. */
export const transactBeside = <Result>(context: Pick<Context, "store">, work: (tx: Tx) => Step<Result>) =>
  writesOf(context).transactBeside(work)

/** Reads what no door may see, such as what a sign-in is checked against. */
export const query = <Result>({ store }: Pick<Context, "store">, work: (tx: ReadTx) => Step<Result>) =>
  (store as Store).query(work)
