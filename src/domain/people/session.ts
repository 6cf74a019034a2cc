import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

const DAY = 86_400 * MICROS_PER_SECOND

// Two weeks, so that people don't have to sign in every time. An unused session doesn't outlast a long weekend.
export const SESSION_DAYS = 14
const IDLE_DAYS = 4

/** When a session that begins now expires, whatever happens. */
export const sessionEnd = (now: Moment): Moment => now + SESSION_DAYS * DAY

/** Sessions that were last used before this moment have expired. */
export const idleSince = (now: Moment): Moment => now - IDLE_DAYS * DAY

// Saving every use would cost a write for every page.
const SAVED_EVERY = 3_600 * MICROS_PER_SECOND

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
