import type { AlertChannelName } from "../../domain/alerts/alert.ts"
import type { AlertContent } from "../../domain/alerts/alert-content.ts"
import type { Moment } from "../../domain/time/moment.ts"

/** A message as it is sent. */
export interface OutgoingAlert {
  /** The same for every attempt, so that a receiver notices one that it got already. */
  readonly id: string
  readonly at: Moment
  readonly content: AlertContent
  /** The address of this installation, which links start with. */
  readonly origin: string
}

/** A way to reach the operator. */
export interface AlertChannel {
  readonly name: AlertChannelName
  /** Where it goes, for people, without secrets. */
  readonly target: string
  /**
   * Sends it. Returns what went wrong although somebody got it, or null. Throws an error whose message says why nobody did, without
   * secrets. Ends within a minute, and soon after `stopped`.
   */
  send(message: OutgoingAlert, stopped?: AbortSignal): Promise<string | null>
}
