import { UNPRINTABLE } from "../text/short-text.ts"

/** Where somebody signed in, as the list of sessions shows it. */
export interface SignInPlace {
  /** What the browser says about itself; null when it says nothing. */
  readonly userAgent: string | null
  readonly address: string | null
}

const USER_AGENT_CHARACTERS_MAX = 300
const ALL_UNPRINTABLE = new RegExp(`[${UNPRINTABLE}]`, "g")

/** What is kept of a User-Agent header: anybody can send anything there. */
export function keptUserAgent(header: string | null): string | null {
  const text = (header ?? "").replace(ALL_UNPRINTABLE, "").slice(0, USER_AGENT_CHARACTERS_MAX).trim()
  return text === "" ? null : text
}

// In this order: most browsers also name those that they descend from.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
]

/** "Firefox on Windows", as far as the browser tells. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return "Unknown device"
  const named = (all: typeof BROWSERS) => all.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  if (browser === undefined) return system ?? "Unknown device"
  return system === undefined ? browser : `${browser} on ${system}`
}
