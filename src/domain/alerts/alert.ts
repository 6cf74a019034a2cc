import { type Static, Type } from "@sinclair/typebox"
import { literals } from "../schema/schema-helpers.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { timeInUtc } from "../time/time-zone.ts"

// What an operator is told without having asked: once when it begins, and once when it is over.

// The kinds, with why one is over: where what it is about is still there, and where that is gone.
const WHY_OVER = {
  feed_silent: ["It reports again.", "Its key is no longer in use."],
  line_behind: ["It has caught up.", "It is no longer running."],
  order_waiting: ["It no longer waits for an answer.", ""],
  backup_failed: ["A backup was made.", ""],
  disk_low: ["There is enough space again.", ""],
  certificate_ending: ["It was renewed.", ""],
  https_problem: ["It works again.", ""],
  copies_failing: ["Backups are copied again.", ""],
} as const

export type AlertKind = keyof typeof WHY_OVER
export const ALERT_KINDS = Object.keys(WHY_OVER) as [AlertKind, ...AlertKind[]]

export const ALERT_CHANNELS = ["email", "webhook"] as const
export type AlertChannelName = (typeof ALERT_CHANNELS)[number]

export const Alert = Type.Object({
  kind: literals(ALERT_KINDS),
  subject: Type.String({ description: "The id of a key or a line, or a host; empty where there is only one." }),
  title: Type.String({ description: "A short sentence without a full stop." }),
  detail: Type.String(),
  path: Type.String({ description: "The page to look at, without the address of the server." }),
  beganAt: Type.Integer(),
  endedAt: Type.Union([Type.Integer(), Type.Null()]),
})
export type Alert = Readonly<Static<typeof Alert>>

export type AlertCause = Omit<Alert, "beganAt" | "endedAt">

/** What identifies an alert. */
export type AlertKey = Pick<Alert, "kind" | "subject">

export interface AlertMessage {
  readonly id: string
  readonly channel: AlertChannelName
  readonly content: string
  readonly createdAt: Moment
  readonly attempts: number
  /** Null when it was sent or given up. */
  readonly nextAttemptAt: Moment | null
  readonly sentAt: Moment | null
  readonly problem: string | null
}

/** The causes that were found, and which alerts nothing is known about at the moment: those stay as they are. */
export interface AlertCheck {
  readonly causes: readonly AlertCause[]
  isUnknown(alert: AlertKey): boolean
  /** Whether what the alert is about is still there: a line that runs, an active key. */
  isThere(alert: AlertKey): boolean
}

export type AlertNews = ReturnType<typeof alertNews>

export function alertNews(lasting: readonly Alert[], check: AlertCheck, now: Moment) {
  const { causes, isUnknown, isThere } = check
  const before = new Set(lasting.map(keyText))
  const current = new Map(causes.map((cause) => [keyText(cause), cause]))
  return {
    began: [...current.values()]
      .filter((cause) => !before.has(keyText(cause)))
      .map((cause): Alert => ({ ...cause, beganAt: now, endedAt: null })),
    ended: lasting
      .filter((alert) => !current.has(keyText(alert)) && !isUnknown(alert))
      .map((alert): Alert => ({ ...alert, detail: WHY_OVER[alert.kind][isThere(alert) ? 0 : 1], endedAt: now })),
  }
}

export const keyText = ({ kind, subject }: AlertKey): string => `${kind} ${subject}`

export type Certificate = Readonly<{ host: string; validFrom: Moment; validUntil: Moment }>

const SYSTEM_PAGE = "/app/operator/system"

const SOON_DAYS = 14
// A certificate that is valid for a few days only is renewed on its last ones.
const SOON_SHARE = 0.2

export function certificateCause(certificate: Certificate | null, now: Moment): AlertCause[] {
  if (certificate === null) return []
  const { host, validFrom, validUntil } = certificate
  const soon = Math.min(SOON_DAYS * MICROS_PER_DAY, (validUntil - validFrom) * SOON_SHARE)
  if (validUntil - now > soon) return []
  const ended = validUntil <= now
  const title = `The TLS certificate of ${host} ${ended ? "has ended" : "ends soon"}`
  const detail = `It ${ended ? "was" : "is"} valid until ${timeInUtc(validUntil)}. Browsers and programs refuse an expired one.`
  return [{ kind: "certificate_ending", subject: host, title, detail, path: SYSTEM_PAGE }]
}

/** What the server does for itself, with what went wrong. */
type Noted = Readonly<{ problem: string | null; advice: string }>

const SERVICE_TITLES = {
  https_problem: "HTTPS has a problem",
  copies_failing: "Backups are not copied to the bucket",
} as const

export function serviceCause(kind: keyof typeof SERVICE_TITLES, note: Noted | null): AlertCause[] {
  if (note === null || note.problem === null) return []
  const detail = `${note.problem} ${note.advice}`
  return [{ kind, subject: "", title: SERVICE_TITLES[kind], detail, path: SYSTEM_PAGE }]
}

const MEBIBYTE = 1_048_576

/** Null: it could not be read. */
export function diskCause(freeBytes: number | null, minimumBytes: number): AlertCause[] {
  if (freeBytes === null || freeBytes >= minimumBytes) return []
  const free = Math.floor(freeBytes / MEBIBYTE).toLocaleString("en")
  const detail = `${free} MB are free where the data is. The server stops taking reports when the disk is full.`
  return [{ kind: "disk_low", subject: "", title: "Disk space is low", detail, path: SYSTEM_PAGE }]
}

// Nobody wants yesterday's alert.
const GIVE_UP_AFTER_SECONDS = 24 * 3_600

export const isGivenUp = (createdAt: Moment, now: Moment): boolean =>
  now - createdAt >= GIVE_UP_AFTER_SECONDS * MICROS_PER_SECOND
