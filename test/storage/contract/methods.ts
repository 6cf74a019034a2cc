import type { Change } from "../../../src/domain/people/audit.ts"
import { nextTurn } from "../../clock.ts"
import type { Store } from "./whole-store.ts"

type Callable = (...given: never[]) => unknown
type NamesOf<Part> = { [Name in keyof Part & string]: Part[Name] extends Callable ? Name : never }[keyof Part & string]

/** Every method of the storage port, as `part.method`. */
export type Method = {
  [Part in keyof Store & string]: Store[Part] extends Callable ? Part : `${Part}.${NamesOf<Store[Part]>}`
}[keyof Store & string]

type TakesChange<Asked> = Asked extends (...given: infer Given) => unknown
  ? Given extends [...unknown[], infer Last]
    ? Last extends Pick<Change, "actor" | "at">
      ? true
      : false
    : false
  : false

/** Every method that is told who makes the change. */
export type ChangeMethod = {
  [Part in keyof Store & string]: {
    [Name in keyof Store[Part] & string]: TakesChange<Store[Part][Name]> extends true ? `${Part}.${Name}` : never
  }[keyof Store[Part] & string]
}[keyof Store & string]

/** The store as it is, but for what is done before each of its methods. */
function aroundEach(store: Store, call: (method: string, run: () => unknown) => unknown): Store {
  const around = <Part extends object>(part: Part, nameOf: (name: string) => string): Part =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown
        if (typeof name !== "string" || typeof value !== "function") return value
        return (...given: unknown[]) => call(nameOf(name), () => Reflect.apply(value, target, given) as unknown)
      },
    })
  const parts = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === "object" && part !== null ? around(part as object, (method) => `${name}.${method}`) : part,
  ])
  return around({ ...store, ...Object.fromEntries(parts) } as Store, (name) => name)
}

/** The store, with a word to `called` for each method that is called. */
export function watched(store: Store, called: (method: string) => void): Store {
  return aroundEach(store, (method, run) => {
    called(method)
    return run()
  })
}

// These answer at once and promise nothing.
const NOTES: ReadonlySet<string> = new Set<Method>([
  "agentCallLog.note",
  "agentCallLog.keepWithin",
  "refusals.note",
  "feedActivity.note",
  "ingestKeys.noteUse",
  "agentKeys.noteUse",
])

/**
 * The store as requests use it, each of which has a turn of the event loop of its own: whatever one store has written, the next
 * request to another one sees. Within a turn, a store may go on telling what it told before.
 */
export function byRequests(store: Store): Store {
  return aroundEach(store, (method, run) => (NOTES.has(method) ? run() : nextTurn().then(run)))
}
