import { createHmac, timingSafeEqual } from "node:crypto"
import { UNPRINTABLE } from "../text/short-text.ts"
import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

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

// A browser in which somebody has signed in keeps a mark of it, so that strangers' failures do not lock them out there. A mark is of one
// person and one browser: its failures are counted by the browser's id, and nobody without the secret can make one.

const MARKS_MAX = 5
const BETWEEN = "~"

type Mark = Readonly<{ userId: number | string; browser: string }>

/** The id of the browser, if these marks prove that this person has signed in with it; null otherwise. */
export const browserOf = (marks: string, userId: number, secret: string): string | null =>
  browserIn(marks, secret, (id) => id === String(userId))

/** The same for anybody. */
export const anyBrowserOf = (marks: string, secret: string): string | null => browserIn(marks, secret, () => true)

function browserIn(marks: string, secret: string, isMeant: (userId: string) => boolean): string | null {
  for (const mark of marks.split(BETWEEN, MARKS_MAX)) {
    const [userId = "", browser = ""] = mark.split(".", 2)
    if (isMeant(userId) && isSame(mark, textOf({ userId, browser }, secret))) return browser
  }
  return null
}

/** The marks with this one as the newest. Few are kept: people who share a browser are few, and a cookie must stay small. */
export function withMark(marks: string, mark: Mark, secret: string): string {
  const others = marks.split(BETWEEN, MARKS_MAX).filter((entry) => entry !== "" && !entry.startsWith(`${mark.userId}.`))
  return [textOf(mark, secret), ...others].slice(0, MARKS_MAX).join(BETWEEN)
}

function textOf({ userId, browser }: Mark, secret: string): string {
  const named = `${userId}.${browser}`
  return `${named}.${createHmac("sha256", secret).update(named).digest("base64url")}`
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

// A few typos are free. After that each failure doubles the wait, up to 15 minutes.
const FREE_FAILURES = 5
const WAIT_SECONDS_MAX = 900
const FORGOTTEN_AFTER_SECONDS = 3_600
const FAILURES_MAX = 1_000
/** How many subjects are counted apart. They share a fixed number of places by hash: no flood can grow them or push a busy one out. */
export const FAILURE_PLACES = 65_536

export type SignInFailures = Readonly<{ failures: number; lastAt: Moment }>

/** A failure that was counted, with all that it takes to undo that. */
interface CountedFailure {
  readonly subject: string
  readonly at: Moment
  /** When the failure before it was. */
  readonly before: Moment
}

/** What is known of subjects, as long as nobody else can change it. */
export interface FailurePlaces {
  readonly now: Moment
  get(subject: string): SignInFailures
  set(subject: string, failures: SignInFailures): void
}

/** Lets `work` see and change what is known of these subjects. `now` is the caller's clock; the database may have its own. */
type ChangeFailures = <Result>(
  subjects: readonly string[],
  work: (places: FailurePlaces) => Result,
  now?: Moment,
) => Promise<Result>

export type SignInThrottle = ReturnType<typeof signInThrottle>

/**
 * Slows callers who fail to sign in, whether or not there is such an account. A subject is an account, an address, or whatever else failures
 * are counted by.
 */
export function signInThrottle(change: ChangeFailures) {
  return {
    /**
     * Counts a failure of each subject, or says how many seconds to wait if one of them must: then nothing is counted. Check and count are
     * one step, so that many attempts at once are slowed as many one after the other are.
     */
    begin: (subjects: readonly string[], now: Moment) => change(subjects, (places) => begin(places, subjects), now),
    /** Takes failures out again, for an attempt that turned out to be none. */
    takeBack: (counted: readonly CountedFailure[]) =>
      change(
        counted.map(({ subject }) => subject),
        (places) => {
          for (const failure of counted) takeBack(places, failure)
        },
      ),
    /** Forgets the failures of these subjects. */
    succeeded: (subjects: readonly string[]) =>
      change(subjects, (places) => {
        for (const subject of subjects) places.set(subject, { ...places.get(subject), failures: 0 })
      }),
  }
}

function begin(places: FailurePlaces, subjects: readonly string[]) {
  const { now } = places
  for (const subject of subjects) {
    const known = places.get(subject)
    // Counted while the clock was ahead, they count as of now: otherwise the wait would last until it is there again.
    if (known.lastAt > now) places.set(subject, { ...known, lastAt: now })
  }
  const waitSeconds = Math.max(...subjects.map((subject) => waitOf(places.get(subject), now)))
  if (waitSeconds > 0) return { waitSeconds, counted: [] }
  const counted = subjects.map((subject): CountedFailure => {
    const { failures, lastAt } = places.get(subject)
    const isForgotten = now - lastAt > FORGOTTEN_AFTER_SECONDS * MICROS_PER_SECOND
    places.set(subject, { failures: Math.min((isForgotten ? 0 : failures) + 1, FAILURES_MAX), lastAt: now })
    return { subject, at: now, before: lastAt }
  })
  return { waitSeconds, counted }
}

/** How many seconds a subject with these failures must still wait; 0 when it may try now. */
function waitOf({ failures, lastAt }: SignInFailures, now: Moment): number {
  const over = failures - FREE_FAILURES
  if (over < 0) return 0
  const wait = Math.min(2 ** over, WAIT_SECONDS_MAX)
  return Math.max(0, Math.ceil(wait - (now - lastAt) / MICROS_PER_SECOND))
}

/** Another failure may have come meanwhile, whose time counts. */
function takeBack(places: FailurePlaces, { subject, at, before }: CountedFailure): void {
  const { failures, lastAt } = places.get(subject)
  places.set(subject, { failures: Math.max(failures - 1, 0), lastAt: lastAt === at ? before : lastAt })
}
