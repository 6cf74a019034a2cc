import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { checked } from "./setting-kinds.ts"

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
