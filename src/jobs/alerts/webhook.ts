import type { AlertChannel } from "../../actions/alerts/alert-channel.ts"
import { signatureHeaders, webhookPayload } from "../../domain/alerts/alert-content.ts"
import { maskedWebhook } from "../../domain/alerts/alert-settings.ts"
import type { Cidr } from "../../domain/callers/client-address.ts"
import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import { askAddress, checkedAddress, type Resolve, within } from "./network.ts"

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
