import type { Moment } from "../time/moment.ts"

// What an operator is told without having asked: once when it begins, and once when it is over.

export const ALERT_KINDS = ["feed_silent", "line_behind", "backup_failed", "disk_low", "certificate_ending"] as const
type AlertKind = (typeof ALERT_KINDS)[number]

export const ALERT_CHANNELS = ["email", "webhook"] as const
export type AlertChannelName = (typeof ALERT_CHANNELS)[number]

/** What identifies an alert. `subject` is the id of a key or a line, or a host; empty where there is only one. */
export interface AlertKey {
  readonly kind: AlertKind
  readonly subject: string
}

/** Something that needs an operator now. */
export interface AlertCause extends AlertKey {
  /** A short sentence without a full stop. */
  readonly title: string
  readonly detail: string
  /** The page to look at, without the address of the server. */
  readonly path: string
}

export interface Alert extends AlertCause {
  readonly beganAt: Moment
  /** Null while it lasts. */
  readonly endedAt: Moment | null
}

/** What has to be sent over one channel, and what became of it. */
export interface AlertMessage {
  readonly id: string
  readonly channel: AlertChannelName
  readonly content: string
  readonly createdAt: Moment
  readonly attempts: number
  /** Null when it was sent or given up. */
  readonly nextAttemptAt: Moment | null
  readonly sentAt: Moment | null
  /** Why the last attempt failed. */
  readonly problem: string | null
}

/** The causes that were found, and which alerts nothing is known about at the moment: those stay as they are. */
export interface AlertCheck {
  readonly causes: readonly AlertCause[]
  isUnknown(alert: AlertKey): boolean
  /** Whether what the alert is about is still there: a line that runs, an active key. */
  isThere(alert: AlertKey): boolean
}

export interface AlertNews {
  readonly began: readonly Alert[]
  readonly ended: readonly Alert[]
}

/** What has changed since the alerts in `lasting` were noted. */
export function alertNews(lasting: readonly Alert[], check: AlertCheck, now: Moment): AlertNews {
  const { causes, isUnknown, isThere } = check
  const before = new Set(lasting.map(keyText))
  const found = new Map(causes.map((cause) => [keyText(cause), cause]))
  return {
    began: [...found.values()]
      .filter((cause) => !before.has(keyText(cause)))
      .map((cause) => ({ ...cause, beganAt: now, endedAt: null })),
    ended: lasting
      .filter((alert) => !found.has(keyText(alert)) && !isUnknown(alert))
      .map((alert) => ({ ...alert, detail: WHY_OVER[alert.kind][isThere(alert) ? 0 : 1], endedAt: now })),
  }
}

// Where it is still there, and where it is gone.
const WHY_OVER: Readonly<Record<AlertKind, readonly [string, string]>> = {
  feed_silent: ["It reports again.", "Its key is no longer in use."],
  line_behind: ["It has caught up.", "It is no longer running."],
  backup_failed: ["A backup was made.", ""],
  disk_low: ["There is enough space again.", ""],
  certificate_ending: ["It was renewed.", ""],
}

export const keyText = ({ kind, subject }: AlertKey): string => `${kind} ${subject}`
