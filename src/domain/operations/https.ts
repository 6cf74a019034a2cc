import type { ServiceProblem } from "../errors.ts"
import { MICROS_PER_DAY, MICROS_PER_MINUTE, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

/** The domains that were chosen in the app, as they are stored. */
export interface HttpsChoice {
  readonly domains: readonly string[]
  /** Where the authority sends notices. */
  readonly email: string | null
}

/** What people may see of a certificate. */
export interface CertificateFacts {
  readonly validFrom: Moment
  readonly validUntil: Moment
  readonly issuer: string
  readonly names: readonly string[]
}

/** How HTTPS is doing, as stored for checks, alerts and pages. */
export interface HttpsNote {
  readonly domains: readonly string[]
  /** Where HTTPS answers. Null while it doesn't. */
  readonly url: string | null
  /** Null before the first certificate. */
  readonly validUntil: Moment | null
  readonly problem: string | null
  readonly advice: string
  /** Attempts that failed since the last one that worked. */
  readonly failures: number
  readonly triedAt: Moment | null
  readonly nextTryAt: Moment | null
}

/** Before the first attempt, and after one that worked. */
export const NOTHING_TRIED = { problem: null, advice: "", failures: 0, triedAt: null, nextTryAt: null } as const

const LEFT_SHARE = 1 / 3
// Spreads renewals, so that not all servers renew at the same minute of the day.
const SPREAD_SHARE = 1 / 90

/** When to renew: with a third of its life left, at a random minute. `chance` is from 0 to 1. */
export function renewalMoment({ validFrom, validUntil }: CertificateFacts, chance: number): Moment {
  const life = validUntil - validFrom
  return Math.round(validUntil - life * (LEFT_SHARE + SPREAD_SHARE * chance))
}

// Let's Encrypt allows five failed checks of a name an hour. The first pause is for a name that was pointed here a moment ago.
const PAUSES_MINUTES = [2, 15, 20, 30, 60, 180, 360, 720]

/** When to try again after this many failures, but never before the time that the authority named. */
export function nextTry(failures: number, now: Moment, retryAfterSeconds: number, chance: number): Moment {
  const minutes = PAUSES_MINUTES[Math.min(failures, PAUSES_MINUTES.length) - 1] ?? 2
  const pause = minutes * MICROS_PER_MINUTE * (1 + chance / 10)
  return Math.round(now + Math.max(pause, retryAfterSeconds * MICROS_PER_SECOND))
}

/** Whether to try now: nothing was tried yet, the pause is over, or the clock was set back. */
export const isTryDue = ({ nextTryAt, triedAt }: Pick<HttpsNote, "nextTryAt" | "triedAt">, now: Moment): boolean =>
  nextTryAt === null || now >= nextTryAt || (triedAt !== null && now < triedAt - MICROS_PER_DAY)

// Advice by problem type: the type from the authority (RFC 8555), or our own if we couldn't ask it.
const adviceAbout = (names: string): Readonly<Record<string, string>> => ({
  dns: `At your domain provider, point ${names} at the public address of this server (the A record, and the AAAA record if there is one).`,
  connection: `Port 80 of ${names} must be reachable from the internet. Open it in the firewall and forward it in the router, or correct the A and AAAA records.`,
  unauthorized: `Another server answers at ${names}. Correct the A and AAAA records, or stop the other program on port 80.`,
  rateLimited: "Nothing to do: the authority limits how many certificates it issues. Adbooth waits and tries again.",
  caa: `A CAA record of ${names} doesn't allow this authority. Change it at your domain provider.`,
  rejectedIdentifier: "The authority doesn't issue certificates for this name. Use a public domain of your own.",
  invalidContact: "Correct the email address for notices, or leave it empty.",
  clock: "Check the clock of this machine. Certificates only work if it's right.",
  unreachable: "Check whether this server can reach the internet and look up names. Adbooth tries again by itself.",
  port_in_use: "Stop the other program that uses the port, or let it be the proxy in front of Adbooth.",
  port_forbidden: "Allow this program to use ports below 1024. The systemd unit does it with CAP_NET_BIND_SERVICE.",
  file: "Correct the files of --tls-cert and --tls-key. Adbooth reads them again within seconds.",
})

export const httpsProblem = (type: string, problem: string, domains: readonly string[]): ServiceProblem => ({
  problem,
  advice:
    adviceAbout(domains.join(" and "))[type] ??
    "Adbooth tries again by itself. If it keeps failing, look at the server log.",
})
