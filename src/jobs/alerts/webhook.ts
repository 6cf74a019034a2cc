import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { isIPv6, type LookupFunction } from "node:net"
import type { AlertChannel } from "../../actions/alerts/alert-channel.ts"
import { signatureHeaders, webhookPayload } from "../../domain/alerts/alert-content.ts"
import { maskedWebhook } from "../../domain/alerts/alert-settings.ts"
import type { Cidr } from "../../domain/callers/client-address.ts"
import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import { checkedAddress, type Resolve, whyAborted, within } from "./network.ts"

const TIMEOUT_MS = 15_000
// Only the status matters; the rest of a longer answer is not read.
const ANSWER_BYTES_MAX = 64 * 1024

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
  const { url, secret, allowed, clock, resolve, timeoutMs = TIMEOUT_MS } = settings
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
      const status = await post(settings, { address, headers, body, signal })
      if (status < 200 || status > 299) throw new Error(`The receiver answered with status ${status}.`)
      return null
    },
  }
}

interface Post {
  readonly address: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
  readonly signal: AbortSignal
}

/** The status of the answer, from exactly this address. */
function post({ url, ca }: WebhookSettings, { address, headers, body, signal }: Post): Promise<number> {
  const request = url.startsWith("https:") ? requestHttps : requestHttp
  // The name stays in Host and in the check of the certificate, but is not looked up again.
  const lookup = ((_, options, callback) => {
    const family = isIPv6(address) ? 6 : 4
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }) satisfies LookupFunction
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sent = request(url, { method: "POST", headers, lookup, agent: false, ...(ca !== undefined && { ca }) })
  const giveUp = () => sent.destroy(new Error(whyAborted(signal)))
  signal.addEventListener("abort", giveUp)
  // It may have come while the address was looked for.
  if (signal.aborted) giveUp()
  sent.on("error", (cause) => reject(new Error(cause.message || "The connection failed.")))
  sent.on("response", (answer) => {
    let bytes = 0
    answer.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > ANSWER_BYTES_MAX) answer.destroy()
    })
    // Also where the answer was cut off: its status has come.
    answer.on("error", () => undefined)
    answer.on("close", () => resolve(answer.statusCode ?? 0))
  })
  sent.on("close", () => reject(new Error("The receiver closed the connection without an answer.")))
  sent.end(body)
  return promise.finally(() => {
    signal.removeEventListener("abort", giveUp)
    sent.destroy()
  })
}
