import { createHmac } from "node:crypto"

// As in the Standard Webhooks specification, so that receivers can verify it with a library.
const SECRET_PREFIX = "whsec_"
const VERSION = "v1"

interface SignedContent {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The headers that prove who sent a body, and when. */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedContent) {
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64")
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `${VERSION},${signature}`,
  }
}

/** A secret in the notation of that specification is base64; any other one is taken as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")
    : Buffer.from(secret, "utf8")
}
