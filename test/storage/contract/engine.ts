import type { MovableClock } from "../../clock.ts"
import type { Store } from "./whole-store.ts"

/** Whatever fills the storage port. Its tests hand it to every contract of this folder. */
export interface Engine {
  readonly name: string
  /** A fresh, empty store. */
  open(): Promise<EngineUnderTest>
}

/** A store and all that was opened on the same data, which is gone when it is disposed of. */
export interface EngineUnderTest extends AsyncDisposable {
  readonly store: Store
  /** It is 2026-11-15T12:00:00Z until it is moved. */
  readonly clock: MovableClock
  /** A second, independent store on the same data, as another process or another replica has it. */
  again(): Promise<Store>
}
