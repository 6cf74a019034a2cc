import type { ShownSettings } from "../config.ts"
import type { ReservedPort } from "../doors/http/reserved-port.ts"
import type { Measures } from "../doors/metrics/measures.ts"
import type { WebContext } from "../doors/web/web-context.ts"
import type { JobContext } from "../jobs/job-context.ts"

export interface Deps extends JobContext {
  /** The settings as people may see them. */
  readonly settings: ShownSettings
  readonly diskTotalBytes: () => Promise<number>
  /** Ports that are open already, because this process takes over from another one. */
  readonly reserved?: ReadonlyMap<number, ReservedPort> | undefined
  /** Starts the program again, which takes over without a lost request; null where that cannot be done. */
  readonly startAgain?: (() => void) | null
  /** In tests: what strangers get at an address, without a network. */
  readonly lookOutside?: WebContext["lookOutside"] | undefined
  /** Only if metrics are on. */
  readonly measures?: Measures | undefined
}
