import { hash } from "node:crypto"
import { MICROS_PER_DAY, MICROS_PER_MINUTE, type Moment } from "../time/moment.ts"

/** setup makes the first operator. second_factor follows a right password, until the code is typed. */
export type LinkPurpose = "setup" | "password" | "second_factor"

// Long enough to switch to another machine, and short enough that a link in a log is soon worthless.
export const SETUP_LINK_MINUTES = 30
// The person asked for it and waits for the mail.
export const FORGOTTEN_LINK_MINUTES = 60
/** How long it takes until another one is mailed, so that strangers can't fill a mailbox. */
export const FORGOTTEN_LINK_EVERY_MINUTES = 10
/** For links that the operator makes, and for invitations. */
export const LINK_DAYS = 3
export const CODE_MINUTES = 10

export const minutesAfter = (now: Moment, minutes: number): Moment => now + minutes * MICROS_PER_MINUTE

export const daysAfter = (now: Moment, days: number): Moment => minutesAfter(now, days * 24 * 60)

/** An unguessable text for a session or a link. */
export const createToken = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true })

/** All that is stored of a token, so that a copy of the database is not enough to sign in. */
export const hashToken = (token: string): string => hash("sha256", token, "hex")

// Two weeks, so that people don't have to sign in every time. An unused session doesn't outlast a long weekend.
export const SESSION_DAYS = 14
const IDLE_DAYS = 4

/** When a session that begins now expires, whatever happens. */
export const sessionEnd = (now: Moment): Moment => now + SESSION_DAYS * MICROS_PER_DAY

/** Sessions that were last used before this moment have expired. */
export const idleSince = (now: Moment): Moment => now - IDLE_DAYS * MICROS_PER_DAY

// Saving every use would cost a write for every page.
const SAVED_EVERY = MICROS_PER_MINUTE

export const isUseSaved = (lastSeenAt: Moment, now: Moment): boolean => now - lastSeenAt < SAVED_EVERY

// Most browsers also name the browsers they derive from, so the order matters.
const BROWSERS = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const

const SYSTEMS = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const

/** "Firefox on Windows", as far as the browser says. */
export function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser === undefined) return system ?? "Unknown device"
  return system === undefined ? browser : `${browser} on ${system}`
}
