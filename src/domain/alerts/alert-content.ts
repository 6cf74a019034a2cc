import { createHmac } from "node:crypto"
import { type Static, Type } from "@sinclair/typebox"
import { spanInWords } from "../activity/rhythm.ts"
import { storedAs } from "../schema/check.ts"
import { formatMoment } from "../time/moment.ts"
import { timeInUtc } from "../time/time-zone.ts"
import { Alert, type AlertMessage, type AlertNews } from "./alert.ts"

// What a message says. It is stored as JSON until it was sent.

// More would not be read, and would make a message too large for some receivers.
const LISTED_MAX = 50

const AlertContent = Type.Object({
  alerts: Type.Array(Alert),
  /** How many there are in all: not every one is listed. */
  began: Type.Integer(),
  resolved: Type.Integer(),
  isTest: Type.Boolean(),
})
export type AlertContent = Static<typeof AlertContent>

export function contentOf({ began, ended }: AlertNews): AlertContent {
  const alerts = [...began, ...ended].slice(0, LISTED_MAX)
  return { alerts, began: began.length, resolved: ended.length, isTest: false }
}

export const TEST_CONTENT: AlertContent = { alerts: [], began: 0, resolved: 0, isTest: true }

const read = storedAs(AlertContent)

/** The stored content; one that cannot be read says nothing. */
export const readContent = ({ content }: Pick<AlertMessage, "content">): AlertContent =>
  read(content) ?? { alerts: [], began: 0, resolved: 0, isTest: false }

/** One line: the only alert, or how many there are. */
export function headline({ alerts, began, resolved, isTest }: AlertContent): string {
  if (isTest) return "Test alert"
  const [only] = alerts
  if (only !== undefined && began + resolved === 1) return `${only.endedAt === null ? "" : "Resolved: "}${only.title}`
  const parts = [began > 0 ? counted(began, "alert") : null, resolved > 0 ? `${resolved} resolved` : null]
  return parts.filter((part) => part !== null).join(", ")
}

const moreThanListed = ({ alerts, began, resolved }: AlertContent) => began + resolved - alerts.length

const counted = (count: number, what: string) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`

/** The whole message as plain text, with links that start with `origin`. */
export function plainText(content: AlertContent, origin: string): string {
  if (content.isTest) return `This is a test. Alerts from ${origin} arrive here.\n`
  const more = moreThanListed(content)
  const parts = content.alerts.map((alert) => paragraph(alert, origin))
  if (more > 0) parts.push(`And ${more.toLocaleString("en")} more: ${origin}/app`)
  return `${parts.join("\n\n")}\n`
}

function paragraph({ title, detail, path, beganAt, endedAt }: Alert, origin: string): string {
  const lines =
    endedAt === null
      ? [`${title}.`, detail, `${origin}${path}`]
      : [
          `Resolved: ${title}.`,
          detail,
          `It began on ${timeInUtc(beganAt)} and lasted ${spanInWords(endedAt - beganAt)}.`,
        ]
  return lines.filter((line) => line !== "").join("\n")
}

/** What a webhook receives. `text` is the whole message, for chat services. */
export const webhookPayload = (id: string, content: AlertContent, origin: string) => ({
  id,
  type: content.isTest ? "alerts.test" : "alerts.changed",
  installation: origin,
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

// As in the Standard Webhooks specification, so that receivers can verify it with a library.
const SECRET_PREFIX = "whsec_"
const VERSION = "v1"

type SignedContent = Readonly<{ id: string; timestamp: number; body: string }>

/** The headers that prove who sent a body, and when. */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedContent) {
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64")
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `${VERSION},${signature}`,
  }
}

/** Base64, as in the libraries of that specification; a secret that an earlier build took is used as it is. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")
    : Buffer.from(secret, "utf8")
