import type { Alert, AlertMessage } from "../../domain/alerts/alert.ts"
import type { Moment } from "../../domain/time/moment.ts"

export interface AlertReads {
  /** Alerts that are not over, oldest first. */
  lasting(): Promise<Alert[]>
  /** Messages, newest first. */
  messages(limit: number): Promise<AlertMessage[]>
  /** Messages whose next attempt is at this moment or was earlier, oldest first. */
  due(now: Moment, limit: number): Promise<AlertMessage[]>
}
