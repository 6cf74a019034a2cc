import { type Static, Type } from "@sinclair/typebox"
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

// HTTPS that the server does by itself: whose certificate, when it is renewed, and what people are told when that fails.

export const HttpsChoice = Type.Object({
  domains: Type.Array(Type.String(), { minItems: 1 }),
  email: Type.Union([Type.String(), Type.Null()]),
})
export type HttpsChoice = Static<typeof HttpsChoice>

/** How it stands, as stored for the doctor, alerts and pages. */
export const HttpsNote = Type.Object({
  domains: Type.Array(Type.String()),
  /** Null before the first certificate. */
  validUntil: Type.Union([Type.Number(), Type.Null()]),
  /** Whether somebody answers there: not while another program has the port. */
  isServed: Type.Optional(Type.Boolean()),
  problem: Type.Union([Type.String(), Type.Null()]),
  advice: Type.String(),
  /** Attempts that failed since the last one that worked. */
  failures: Type.Number(),
  triedAt: Type.Union([Type.Number(), Type.Null()]),
  nextTryAt: Type.Union([Type.Number(), Type.Null()]),
})
export type HttpsNote = Static<typeof HttpsNote>

/** Before the first attempt, and after one that worked. */
export const NOTHING_TRIED = { problem: null, advice: "", failures: 0, triedAt: null, nextTryAt: null } as const

export type Validity = Readonly<{ validFrom: Moment; validUntil: Moment }>

/** What people may see of a certificate. */
export interface CertificateFacts extends Validity {
  readonly issuer: string
  readonly names: readonly string[]
}

export interface HttpsService {
  readonly certificate: CertificateFacts | null
  /** How it stands; null where this server does no HTTPS by itself. */
  readonly note: HttpsNote | null
  /** The first of these names that has no address, as far as this machine can see; null where each has one. */
  withoutAddress(domains: readonly string[]): Promise<string | null>
  /** Gets a certificate for these names and stores it. What was wrong, if it failed. */
  order(domains: readonly string[], email: string | null): Promise<HttpsProblem | null>
  /** Makes the next attempt now. */
  tryAgain(): Promise<void>
}

const LEFT_SHARE = 1 / 3
// Not all servers of the world at the same minute of the day.
const SPREAD_SHARE = 1 / 90

/** When to renew: with a third of its life left, at a random minute. `chance` is from 0 to 1. */
export function renewalMoment({ validFrom, validUntil }: Validity, chance: number): Moment {
  const life = validUntil - validFrom
  return Math.round(validUntil - life * (LEFT_SHARE + SPREAD_SHARE * chance))
}

const MINUTE = 60 * MICROS_PER_SECOND
// Let's Encrypt allows five failed checks of a name an hour. The first pause is for a name that was pointed here a moment ago.
const PAUSES_MINUTES = [2, 15, 20, 30, 60, 180, 360, 720] as const

/** When to try again after so many failures, and not before the authority wants it. */
export function nextTry(failures: number, now: Moment, retryAfterSeconds: number, chance: number): Moment {
  const minutes = PAUSES_MINUTES[Math.min(failures, PAUSES_MINUTES.length) - 1] ?? PAUSES_MINUTES[0]
  const pause = minutes * MINUTE * (1 + chance / 10)
  return Math.round(now + Math.max(pause, retryAfterSeconds * MICROS_PER_SECOND))
}

/** Whether it is time: nothing tried yet, the pause is over, or the clock was set back. */
export const isTryDue = ({ nextTryAt, triedAt }: Pick<HttpsNote, "nextTryAt" | "triedAt">, now: Moment): boolean =>
  nextTryAt === null || now >= nextTryAt || (triedAt !== null && now < triedAt - MICROS_PER_DAY)

export type HttpsProblem = Readonly<{ problem: string; advice: string }>

// By the type that the authority names (RFC 8555), or that we found before asking it.
const adviceFor = (names: string): Readonly<Record<string, string>> => ({
  dns: `At your domain provider, set the A record of ${names} to the public address of this server (and the AAAA record, if there is one).`,
  connection: `Port 80 of ${names} must be reachable from the internet. Open it in the firewall and forward it in the router, or correct the A and AAAA records.`,
  unauthorized: `Another server answers at ${names}. Correct the A and AAAA records, or stop what else uses port 80.`,
  rateLimited: "Nothing to do: the authority limits how many certificates it issues. Adbooth waits and tries again.",
  caa: `A CAA record of ${names} does not allow this authority. Change it at your domain provider.`,
  rejectedIdentifier: "The authority issues no certificates for this name. Use a public domain name of your own.",
  invalidContact: "Correct the email address for notices, or leave it empty.",
  clock: "Check the clock of this machine, preferably set it with NTP. Certificates are only valid at the right time.",
  unreachable: "Check whether this server can reach the internet and look up names. Adbooth tries again by itself.",
  port_in_use: "Stop the other program that uses the port, or let that program be the proxy in front of Adbooth.",
  port_forbidden: "Allow this program to use ports below 1024. The systemd unit does it with CAP_NET_BIND_SERVICE.",
  file: "Correct the files of --tls-cert and --tls-key. They are read again within a minute.",
})

const FALLBACK = "Adbooth tries again by itself. If it goes on, look at the server log."

export const httpsProblem = (type: string, detail: string, domains: readonly string[]): HttpsProblem => ({
  problem: detail,
  advice: adviceFor(domains.join(" and "))[type] ?? FALLBACK,
})
