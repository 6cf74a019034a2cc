import type { Admission, RateWindow } from "../../domain/callers/rate-limit.ts"
import type { Fingerprint } from "../../domain/keys/api-key.ts"
import type { Moment } from "../../domain/time/moment.ts"

/**
 * Who may come in: the key, and one request out of its rate window, in one step, so that an engine needs one round trip for both. A
 * window is exact and slides; a refused request does not count. Windows of different names are counted apart, and so are
 * those of the three methods.
 */
export interface Admissions {
  /** Null, and nothing counted, when the key is unknown or revoked. */
  ingest(fingerprint: Fingerprint, window: RateWindow, now: Moment): Promise<Admitted<ActiveIngestKey> | null>
  /** Likewise for an agent key. */
  agent(fingerprint: Fingerprint, window: RateWindow, now: Moment): Promise<Admitted<ActiveAgentKey> | null>
  /** For those who show no key that works: `caller` is the name by which they are counted, such as their address. */
  caller(window: RateWindow, caller: string, now: Moment): Promise<Admission>
}

export type Admitted<Key> = Readonly<{ key: Key; admission: Admission }>

export type ActiveIngestKey = Readonly<{ id: string; organizationId: number }>

export type ActiveAgentKey = Pick<ActiveIngestKey, "id">

/** The jobs that run by the clock, of which one server at a time may run each. */
export type LeaseName = "scheduled backups" | "upkeep" | "alerts"

export interface Leases {
  /**
   * Whether this store holds the lease for so many seconds from now. A server that holds it and asks again holds it for longer; it ends by
   * itself when its holder is gone.
   */
  take(name: LeaseName, seconds: number): Promise<boolean>
}
