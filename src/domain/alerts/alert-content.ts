import { createHmac } from "node:crypto"
import { readWebhookSecret } from "../operations/webhook.ts"
import { momentInWords, spanInWords } from "../time/in-words.ts"
import { formatMoment, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import type { Alert, AlertNews } from "./alert.ts"

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
