import { createHmac } from "node:crypto"
import { checked } from "./operations/setting-kinds.ts"
import {
  formatMoment,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  type Moment,
  momentInWords,
  spanInWords,
} from "./time/moment.ts"

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

const ALERT_CHANNELS = ["email", "webhook"] as const
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

/** What one message says. It's stored as JSON until it was sent. */
export interface AlertContent {
  /** Some of them, if there are too many for a message. */
  readonly alerts: readonly Alert[]
  readonly began: number
  readonly ended: number
  readonly isTest: boolean
}

// People don't read longer messages, and some receivers refuse them.
const ALERTS_MAX = 50

export function contentOf({ began, ended }: AlertNews): AlertContent {
  const alerts = [...began, ...ended].slice(0, ALERTS_MAX)
  return { alerts, began: began.length, ended: ended.length, isTest: false }
}

export const TEST_CONTENT: AlertContent = { alerts: [], began: 0, ended: 0, isTest: true }

/** One line: the only alert, or how many there are. */
export function headline({ alerts, began, ended, isTest }: AlertContent): string {
  if (isTest) return "Test alert"
  const [only] = alerts
  if (only !== undefined && began + ended === 1) return `${only.endedAt === null ? "" : "Resolved: "}${only.title}`
  const parts = [began > 0 ? `${began} alert${began === 1 ? "" : "s"}` : "", ended > 0 ? `${ended} resolved` : ""]
  return parts.filter((part) => part !== "").join(", ")
}

/** The whole message as plain text. Links begin with `origin`. */
export function plainText(content: AlertContent, origin: string): string {
  if (content.isTest) return `This is a test. Alerts from ${origin} will arrive here.\n`
  const paragraphs = content.alerts.map((alert) => paragraphOf(alert, origin))
  const more = moreThanListed(content)
  if (more > 0) paragraphs.push(`And ${more} more: ${origin}/app`)
  return `${paragraphs.join("\n\n")}\n`
}

const moreThanListed = ({ alerts, began, ended }: AlertContent): number => began + ended - alerts.length

function paragraphOf({ title, detail, path, beganAt, endedAt }: Alert, origin: string): string {
  const lines =
    endedAt === null
      ? [`${title}.`, detail, `${origin}${path}`]
      : [
          `Resolved: ${title}.`,
          detail,
          `It began on ${momentInWords(beganAt)} and lasted ${spanInWords(endedAt - beganAt)}.`,
        ]
  return lines.filter((line) => line !== "").join("\n")
}

/** What a webhook receives. `text` is the whole message, for chat services. */
export const webhookPayload = (id: string, content: AlertContent, origin: string) => ({
  id,
  type: content.isTest ? "alerts.test" : "alerts.changed",
  server: origin,
  text: plainText(content, origin).trimEnd(),
  alerts: content.alerts.map(({ kind, subject, title, detail, path, beganAt, endedAt }) => ({
    kind,
    subject,
    state: endedAt === null ? "began" : "resolved",
    title,
    detail,
    url: `${origin}${path}`,
    began_at: formatMoment(beganAt),
    resolved_at: endedAt === null ? null : formatMoment(endedAt),
  })),
  more: moreThanListed(content),
})

/** The headers of Standard Webhooks, which prove who sent a body, and when. */
export function signatureHeaders(secret: string, id: string, now: Moment, body: string) {
  const timestamp = Math.floor(now / MICROS_PER_SECOND)
  const key = readWebhookSecret(secret) ?? new Uint8Array()
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` }
}

/** The URL of a webhook, or null if it isn't one. A password in a URL would be shown in logs of proxies. */
export function readWebhookUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.username === "" && url.password === "" && url.hash === "" ? url.href : null
}

export const WEBHOOK_URL = checked(
  "url",
  readWebhookUrl,
  "must be a URL such as https://hooks.example.com/alerts, without a user name, password or #",
)

const SECRET = /^whsec_([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The bytes of a secret in the form of Standard Webhooks: whsec_ and 24 to 64 bytes in base64. Null if it isn't one. */
export function readWebhookSecret(text: string): Uint8Array | null {
  const bytes = SECRET.test(text) ? Buffer.from(text.slice("whsec_".length), "base64") : null
  return bytes !== null && bytes.length >= 24 && bytes.length <= 64 ? bytes : null
}

export const WEBHOOK_SECRET = checked(
  "secret",
  readWebhookSecret,
  "must be whsec_ and 24 to 64 bytes in base64, as this prints: echo whsec_$(openssl rand -base64 32)",
)

/** The URL without its path, because many services put a secret into it. */
export const maskedWebhook = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return "***"
  return url.href === `${url.origin}/` ? url.origin : `${url.origin}/***`
}

/** A new secret, for an operator who lets Adbooth choose one. */
export const createWebhookSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`

const FIRST_PAUSE_SECONDS = 30
const PAUSE_SECONDS_MAX = 3_600

/**
 * When to call another service again after this many failures. `chance` is from 0 to 1, so that not all senders try at
 * once.
 */
export function nextAttempt(failures: number, now: Moment, chance: number): Moment {
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.max(failures - 1, 0), PAUSE_SECONDS_MAX)
  return now + Math.round(seconds * (1 - chance / 2) * MICROS_PER_SECOND)
}
