/** The jobs that run by the clock, of which one server at a time may run each. */
export type LeaseName = "scheduled backups" | "call log pruning" | "alerts"

export interface Leases {
  /**
   * Whether this store holds the lease for so many seconds from now. Whoever holds it and asks again holds it for longer; it ends by
   * itself when its holder is gone.
   */
  take(name: LeaseName, seconds: number): Promise<boolean>
}
