import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { timeInUtc } from "../time/time-in-words.ts"
import type { AlertCause } from "./alert.ts"

export interface Certificate {
  readonly host: string
  readonly validFrom: Moment
  readonly validUntil: Moment
}

const SOON_DAYS = 14
// A certificate that is valid for a few days only is renewed on its last ones.
const SOON_SHARE = 0.2

/** A certificate that ends soon, or has ended. */
export function certificateCause(certificate: Certificate | null, now: Moment): AlertCause[] {
  if (certificate === null) return []
  const { host, validFrom, validUntil } = certificate
  const soon = Math.min(SOON_DAYS * MICROS_PER_DAY, (validUntil - validFrom) * SOON_SHARE)
  if (validUntil - now > soon) return []
  const ended = validUntil <= now
  return [
    {
      kind: "certificate_ending",
      subject: host,
      title: `The TLS certificate of ${host} ${ended ? "has ended" : "ends soon"}`,
      detail: `It ${ended ? "was" : "is"} valid until ${timeInUtc(validUntil)}. Browsers and feeds refuse an expired one.`,
      path: "/app/operator/system",
    },
  ]
}
