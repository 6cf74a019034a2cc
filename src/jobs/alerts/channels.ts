import type { AlertChannel } from "../../actions/alerts/send-alerts.ts"
import type { AlertSettings } from "../../config.ts"
import { headline, plainText, signatureHeaders, webhookPayload } from "../../domain/alerts/alert-content.ts"
import type { Cidr } from "../../domain/callers/client-address.ts"
import type { SmtpServer } from "../../domain/operations/service-settings.ts"
import { maskedWebhook, readSmtpUrl, validSetting } from "../../domain/operations/service-settings.ts"
import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import { type SendingHow, sendMail } from "../mail/send-mail.ts"
import { askAddress, checkedAddress, type Resolve, within } from "./network.ts"

/** The channels that the settings name; none where alerts are off. Throws a UserError for a file that cannot be used. */
export async function openChannels(settings: AlertSettings, clock: () => Moment): Promise<AlertChannel[]> {
  const channels: AlertChannel[] = []
  const { alertTo: to, mailFrom: from, alertWebhook: url, alertAllowPrivate: allowed } = settings
  const { smtp, alertWebhookSecret: secret } = settings
  if (smtp !== null && to.length > 0) channels.push(emailChannel({ server: validSetting(readSmtpUrl(smtp)), to, from }))
  if (url !== null && secret !== null) channels.push(webhookChannel({ url, secret, allowed, clock }))
  return channels
}

export interface EmailSettings extends Omit<SendingHow, "stopped"> {
  readonly server: SmtpServer
  readonly to: readonly string[]
  readonly from: string | null
}

/** Whom mail comes from: as chosen, else the user of the mail server, else the first recipient. */
export const senderOf = ({ user }: SmtpServer, from: string | null, to: readonly string[]): string =>
  from ?? (user?.includes("@") ? user : (to[0] ?? ""))

export function emailChannel({ server, to, from, ...how }: EmailSettings): AlertChannel {
  const address = senderOf(server, from, to)
  return {
    name: "email",
    target: `${to.join(", ")} through ${server.host}:${server.port}`,
    send({ id, content, origin }, stopped) {
      const subject = `Adbooth: ${headline(content)}`
      const mail = { id, from: { name: "Adbooth", address }, to, subject, text: plainText(content, origin) }
      return sendMail(server, mail, { ...how, stopped })
    },
  }
}

const TIMEOUT_MS = 15_000

export interface WebhookSettings {
  readonly url: string
  readonly secret: string
  /** Private networks that it may reach. */
  readonly allowed: readonly Cidr[]
  readonly clock: () => Moment
  readonly timeoutMs?: number
  readonly resolve?: Resolve | undefined
  /** In tests: the certificate authority to trust. */
  readonly ca?: string
}

/** Posts alerts as signed JSON. Redirects are not followed: they could lead anywhere. */
export function webhookChannel(settings: WebhookSettings): AlertChannel {
  const { url, secret, allowed, clock, resolve, timeoutMs = TIMEOUT_MS, ca } = settings
  const { protocol, hostname } = new URL(url)
  return {
    name: "webhook",
    target: maskedWebhook(url),
    async send({ id, content, origin }, stopped) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = stopped === undefined ? timeout : AbortSignal.any([timeout, stopped])
      const { address, isPrivate } = await within(signal, checkedAddress(hostname, allowed, resolve))
      if (protocol === "http:" && !isPrivate) throw new Error("A public address must be an https one.")
      const body = JSON.stringify(webhookPayload(id, content, origin))
      const timestamp = Math.floor(clock() / MICROS_PER_SECOND)
      const headers = {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        "User-Agent": "Adbooth",
        ...signatureHeaders(secret, { id, timestamp, body }),
      }
      const { status } = await askAddress(url, address, { method: "POST", headers, body, signal, ca })
      if (status < 200 || status > 299) throw new Error(`The receiver answered with status ${status}.`)
      return null
    },
  }
}
