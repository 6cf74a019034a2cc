import { CALLERS_REMEMBERED_MAX, CALLERS_SHARED_WINDOWS, RATE_WINDOW_SECONDS } from "../limits.ts"
import { MICROS_PER_MS, type Moment } from "../time/moment.ts"

export interface RateWindow {
  readonly name: string
  /** Requests in any 60 seconds. */
  readonly limit: number
}

interface RateLimit {
  readonly limit: number
  readonly callersMax?: number
  readonly sharedWindows?: number
  /** Secret, so that callers cannot choose whom they share a window with. */
  readonly seed?: number
}

export type Admission =
  | { readonly allowed: true; readonly remaining: number; readonly resetSeconds: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

const WINDOW_MS = RATE_WINDOW_SECONDS * 1_000

/**
 * An exact sliding window per caller in bounded memory. Idle callers are forgotten within two minutes. Once there are too many, new
 * callers share a fixed number of windows by hash: a busy window is never dropped to make room. Where several servers share a database,
 * the same rule is SQL: storage/postgres/shared-limits/admission-sql.ts.
 */
export function rateLimiter(options: RateLimit) {
  const { limit, callersMax = CALLERS_REMEMBERED_MAX, sharedWindows = CALLERS_SHARED_WINDOWS, seed = 0 } = options
  const time = steadyTime()
  const shared: (RequestLog | undefined)[] = new Array(sharedWindows)
  // Two generations: active callers move to the recent one; after a minute the older one, idle by then, is dropped.
  let recent = new Map<string, RequestLog>()
  let older = new Map<string, RequestLog>()
  let turnedAt = 0

  function turn(at: number): void {
    if (at - turnedAt < WINDOW_MS) return
    older = at - turnedAt < 2 * WINDOW_MS ? recent : new Map()
    recent = new Map()
    turnedAt = at
  }

  function logOf(caller: string): RequestLog {
    const seen = recent.get(caller)
    if (seen !== undefined) return seen
    const before = older.get(caller)
    if (before === undefined && recent.size + older.size >= callersMax) {
      const window = Number(Bun.hash.wyhash(caller, BigInt(seed)) % BigInt(sharedWindows))
      shared[window] ??= new RequestLog()
      return shared[window]
    }
    const log = before ?? new RequestLog()
    older.delete(caller)
    recent.set(caller, log)
    return log
  }

  return {
    limit,
    /** In memory. */
    windows: () => recent.size + older.size + shared.filter((log) => log !== undefined).length,
    /** Admits a request, or says when the next one is admitted. A refused request does not count. */
    admit(caller: string, now: Moment): Admission {
      const at = time(now)
      turn(at)
      const log = logOf(caller)
      log.forget(at)
      if (log.count < limit) {
        log.add()
        return { allowed: true, remaining: limit - log.count, resetSeconds: log.secondsToNext() }
      }
      return { allowed: false, retryAfterSeconds: log.secondsToNext() }
    },
  }
}

export type RateLimiter = ReturnType<typeof rateLimiter>

/** A limiter for each window, made when it is first used. */
export function rateLimiters(seed: number): (window: RateWindow) => RateLimiter {
  const byName = new Map<string, RateLimiter>()
  return ({ name, limit }) => {
    const existing = byName.get(name)
    if (existing?.limit === limit) return existing
    const made = rateLimiter({ limit, seed })
    byName.set(name, made)
    return made
  }
}

/** Milliseconds that never go back: when the clock is set back they stand still, so that nobody is locked out. */
function steadyTime(): (now: Moment) => number {
  let last: number | undefined
  let steady = 0
  return (now) => {
    const ms = Math.floor(now / MICROS_PER_MS)
    steady += Math.max(0, ms - (last ?? ms))
    last = ms
    return steady
  }
}

/** When a caller's requests of the last minute arrived, in milliseconds. */
class RequestLog {
  #times: number[] = []
  /** The oldest that counts. */
  #first = 0
  #checkedAt = 0

  get count(): number {
    return this.#times.length - this.#first
  }

  /** Drops requests that have left the window. Must be called first with each new time. */
  forget(at: number): void {
    this.#checkedAt = at
    while (this.count > 0 && this.#ageOfOldest() >= WINDOW_MS) this.#first++
    // Not at each request: moving all others takes longer than all else.
    if (this.#first <= this.count) return
    this.#times = this.#times.slice(this.#first)
    this.#first = 0
  }

  add(): void {
    this.#times.push(this.#checkedAt)
  }

  /** Seconds until the oldest request leaves the window, at least 1. */
  secondsToNext(): number {
    return Math.max(1, Math.ceil((WINDOW_MS - this.#ageOfOldest()) / 1_000))
  }

  #ageOfOldest(): number {
    return this.#checkedAt - (this.#times[this.#first] ?? this.#checkedAt)
  }
}
