import type { Alert, AlertKey, AlertMessage } from "../../domain/alerts/alert.ts"
import type { Moment } from "../../domain/time/moment.ts"

export type Alerts = AlertReads & AlertWrites

export interface AlertReads {
  /** Alerts that are not over, oldest first. */
  lasting(): Promise<Alert[]>
  /** Messages, newest first. */
  messages(limit: number): Promise<AlertMessage[]>
  /** Messages whose next attempt is at this moment or was earlier, oldest first. */
  due(now: Moment, limit: number): Promise<AlertMessage[]>
}

export interface AlertChanges {
  readonly began: readonly Alert[]
  /** They are over at `at`. */
  readonly ended: readonly AlertKey[]
  readonly messages: readonly Pick<AlertMessage, "id" | "channel" | "content">[]
  readonly at: Moment
  /** What was over, and messages that were made, before this moment is deleted. */
  readonly forgetBefore: Moment
}

/** The outcome of an attempt. */
export type AttemptOutcome = Pick<AlertMessage, "sentAt" | "nextAttemptAt" | "problem">

export interface AlertWrites {
  /** False, and nothing is written, when one of `began` lasts already, or one of `ended` does not. */
  note(changes: AlertChanges): Promise<boolean>
  /**
   * Counts an attempt before it is made. False when another server was faster: then it must not be made. After a crash the next attempt
   * is at `nextAttemptAt`.
   */
  beginAttempt(message: Pick<AlertMessage, "id" | "attempts">, nextAttemptAt: Moment): Promise<boolean>
  endAttempt(id: string, outcome: AttemptOutcome): Promise<void>
}
