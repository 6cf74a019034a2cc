import { MICROS_PER_SECOND, type Moment } from "./time/moment.ts"

export interface RateWindow {
  readonly name: string
  /** Requests in any 60 seconds. */
  readonly limit: number
}

export interface Admission {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Whole seconds until another request fits into the window, at least 1. */
  readonly retryAfterSeconds: number
}

/** Counts the requests of each caller. A refused request doesn't count. */
export interface Limits {
  admit(caller: string, window: RateWindow, now: Moment): Promise<Admission>
}

const WINDOW = 60 * MICROS_PER_SECOND
// A flood from many addresses can't grow memory without bound. Keys never reach it, because every window has its own callers.
const CALLERS_MAX = 20_000
const OTHERS = "others"

/** Windows in the memory of one server. Beyond 20,000 callers of a window in a minute, new callers share one. */
export function limitsInMemory(): Limits {
  const windows = new Map<string, Map<string, Moment[]>>()
  let sweptAt = 0

  function forgetIdle(now: Moment): void {
    sweptAt = now
    for (const callers of windows.values()) {
      for (const [caller, moments] of callers) if ((moments.at(-1) ?? 0) <= now - WINDOW) callers.delete(caller)
    }
  }

  function callersOf(name: string): Map<string, Moment[]> {
    const known = windows.get(name)
    if (known !== undefined) return known
    const callers = new Map<string, Moment[]>()
    windows.set(name, callers)
    return callers
  }

  return {
    async admit(caller, { name, limit }, now) {
      // If the clock is set back, no caller may be kept waiting.
      if (Math.abs(now - sweptAt) > WINDOW) forgetIdle(now)
      const callers = callersOf(name)
      const counted = callers.has(caller) || callers.size < CALLERS_MAX ? caller : OTHERS
      const recent = callers.get(counted) ?? []
      // They are in order, unless the clock was set back.
      while ((recent[0] ?? now) <= now - WINDOW) recent.shift()
      while ((recent.at(-1) ?? now) > now) recent.pop()
      const isAllowed = recent.length < limit
      if (isAllowed) recent.push(now)
      callers.set(counted, recent)
      return admissionOf(isAllowed, limit - recent.length, (recent[0] ?? now) + WINDOW - now)
    },
  }
}

/** `waitMicros` is the time until the oldest request leaves the window. */
export const admissionOf = (isAllowed: boolean, remaining: number, waitMicros: number): Admission => ({
  isAllowed,
  remaining: Math.max(0, remaining),
  retryAfterSeconds: Math.max(1, Math.ceil(waitMicros / MICROS_PER_SECOND)),
})
