import { momentInWords } from "../time/in-words.ts"
import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"

// Alerts tell the operator about a problem unasked: once when it begins, and once when it's over.

/**
 * The kinds of alerts, each with two reasons for being over: one if its subject still exists, and one if it doesn't.
 */
const WHY_OVER = {
  feed_silent: ["It reports again.", "Its key is no longer in use."],
  line_behind: ["It has caught up.", "It's no longer running."],
  order_waiting: ["It was answered, or it expired.", ""],
  backup_failed: ["A backup was made.", ""],
  copies_failing: ["Backups are copied again.", ""],
  disk_low: ["There is enough space again.", ""],
  certificate_ending: ["It was renewed.", ""],
  https_problem: ["It works again.", ""],
} as const

export type AlertKind = keyof typeof WHY_OVER
export const ALERT_KINDS = Object.keys(WHY_OVER) as readonly AlertKind[]

export const ALERT_CHANNELS = ["email", "webhook"] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

/** Something that needs an operator now. */
export interface AlertCause {
  readonly kind: AlertKind
  /** The ID of a key, a line or an order. Empty if the kind has only one. */
  readonly subject: string
  /** A short sentence without a full stop. */
  readonly title: string
  readonly detail: string
  /** The page to look at, without the address of the server. */
  readonly path: string
}

export interface Alert extends AlertCause {
  readonly beganAt: Moment
  readonly endedAt: Moment | null
}

/** The findings of a check. If a cause can't be checked at the moment, its alert doesn't change. */
export interface AlertCheck {
  readonly causes: readonly AlertCause[]
  readonly isUnknown: (alert: AlertKey) => boolean
  /** Whether the subject still exists: a line that runs, an active key. */
  readonly exists: (alert: AlertKey) => boolean
}

export type AlertKey = Pick<AlertCause, "kind" | "subject">

export interface AlertNews {
  readonly began: readonly Alert[]
  readonly ended: readonly Alert[]
}

/** Returns the alerts that began and the ones that ended since the last check. */
export function alertNews(lasting: readonly Alert[], check: AlertCheck, now: Moment): AlertNews {
  const before = new Set(lasting.map(keyOf))
  const causes = new Map(check.causes.map((cause) => [keyOf(cause), cause]))
  const began = [...causes.values()].filter((cause) => !before.has(keyOf(cause)))
  const ended = lasting.filter((alert) => !causes.has(keyOf(alert)) && !check.isUnknown(alert))
  return {
    began: began.map((cause) => ({ ...cause, beganAt: now, endedAt: null })),
    ended: ended.map((alert) => ({
      ...alert,
      detail: WHY_OVER[alert.kind][check.exists(alert) ? 0 : 1],
      endedAt: now,
    })),
  }
}

export const keyOf = ({ kind, subject }: AlertKey): string => `${kind} ${subject}`

const SYSTEM_PAGE = "/app/operator/system"
const SOON_DAYS = 14
// A short-lived certificate is renewed in its last days.
const SOON_SHARE = 0.2

interface Validity {
  readonly names: readonly string[]
  readonly validFrom: Moment
  readonly validUntil: Moment
}

export function certificateCause(certificate: Validity | null, now: Moment): AlertCause[] {
  if (certificate === null) return []
  const { names, validFrom, validUntil } = certificate
  const soon = Math.min(SOON_DAYS * MICROS_PER_DAY, (validUntil - validFrom) * SOON_SHARE)
  if (validUntil - now > soon) return []
  const isOver = validUntil <= now
  const [name = "this server"] = names
  return [
    {
      kind: "certificate_ending",
      subject: "",
      title: `The certificate of ${name} ${isOver ? "has expired" : "expires soon"}`,
      detail: `It ${isOver ? "was" : "is"} valid until ${momentInWords(validUntil)}. Browsers and programs refuse an expired one.`,
      path: SYSTEM_PAGE,
    },
  ]
}

const SERVICE_TITLES = {
  https_problem: "HTTPS has a problem",
  copies_failing: "Backups aren't copied to the bucket",
} as const

interface Noted {
  readonly problem: string | null
  readonly advice: string
}

export function serviceCause(kind: keyof typeof SERVICE_TITLES, note: Noted | null): AlertCause[] {
  if (note === null || note.problem === null) return []
  const detail = `${note.problem} ${note.advice}`
  return [{ kind, subject: "", title: SERVICE_TITLES[kind], detail, path: SYSTEM_PAGE }]
}

const MEGABYTE = 1_000_000

export function diskCause(freeBytes: number | null, megabytesMin: number): AlertCause[] {
  if (freeBytes === null || freeBytes >= megabytesMin * MEGABYTE) return []
  const free = Math.floor(freeBytes / MEGABYTE).toLocaleString("en")
  const detail = `${free} MB are free on the disk with the data. When it's full, reports are refused.`
  return [{ kind: "disk_low", subject: "", title: "Disk space is low", detail, path: SYSTEM_PAGE }]
}
