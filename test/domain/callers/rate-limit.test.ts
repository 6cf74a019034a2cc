import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Admission, type RateLimiter, rateLimiter } from "../../../src/domain/callers/rate-limit.ts"

const SECOND = 1_000_000
const start = Date.parse("2026-11-15T12:00:00Z") * 1_000

/** The rule in its plainest form: keep every admitted time, count those of the last minute. */
class Model {
  readonly #limit: number
  readonly #times = new Map<string, number[]>()

  constructor(limit: number) {
    this.#limit = limit
  }

  admit(caller: string, ms: number): Admission {
    const times = (this.#times.get(caller) ?? []).filter((time) => ms - time < 60_000)
    const allowed = times.length < this.#limit
    if (allowed) times.push(ms)
    this.#times.set(caller, times)
    const seconds = Math.max(1, Math.ceil(((times[0] ?? 0) + 60_000 - ms) / 1_000))
    if (!allowed) return { allowed, retryAfterSeconds: seconds }
    return { allowed, remaining: this.#limit - times.length, resetSeconds: seconds }
  }
}

const times = (count: number, limiter: RateLimiter, caller: string, at: number) =>
  Array.from({ length: count }, () => limiter.admit(caller, at))

test("agrees with a simple model whatever callers do and however time passes", () => {
  const step = fc.record({
    caller: fc.constantFrom("a", "b", "c"),
    wait: fc.oneof(fc.nat(50), fc.nat(20_000), fc.constantFrom(0, 1, 59_999, 60_000, 60_001, 120_000, 5_000_000_000)),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
      const limiter = rateLimiter({ limit })
      const model = new Model(limit)
      let ms = 0
      for (const { caller, wait } of steps) {
        ms += wait
        expect(limiter.admit(caller, start + ms * 1_000)).toEqual(model.admit(caller, ms))
      }
    }),
    { numRuns: 300 },
  )
})

test("60 requests in any 60 seconds: the window slides", () => {
  const limiter = rateLimiter({ limit: 60 })
  expect(times(30, limiter, "key", start).every(({ allowed }) => allowed)).toBe(true)
  expect(times(30, limiter, "key", start + 30 * SECOND).every(({ allowed }) => allowed)).toBe(true)
  expect(limiter.admit("key", start + 59 * SECOND)).toEqual({ allowed: false, retryAfterSeconds: 1 })
  expect(
    times(31, limiter, "key", start + 60 * SECOND)
      .map(({ allowed }) => allowed)
      .indexOf(false),
  ).toBe(30)
})

test("after Retry-After seconds the next request is admitted, and not a second earlier", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 59_999 }), (ms) => {
      const limiter = rateLimiter({ limit: 1 })
      limiter.admit("key", start)
      const refused = limiter.admit("key", start + ms * 1_000)
      if (refused.allowed) throw new Error("one is the limit")
      expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1)
      const again = start + ms * 1_000 + refused.retryAfterSeconds * SECOND
      if (refused.retryAfterSeconds > 1) expect(limiter.admit("key", again - SECOND).allowed).toBe(false)
      expect(limiter.admit("key", again).allowed).toBe(true)
    }),
  )
})

test("a refused request does not count", () => {
  const limiter = rateLimiter({ limit: 2 })
  times(100, limiter, "key", start)
  expect(times(2, limiter, "key", start + 60 * SECOND).every(({ allowed }) => allowed)).toBe(true)
})

test("a clock that is set back locks nobody out for longer than a window and frees nobody early", () => {
  const limiter = rateLimiter({ limit: 2 })
  times(2, limiter, "key", start)
  const hourEarlier = start - 3_600 * SECOND
  expect(limiter.admit("key", hourEarlier)).toEqual({ allowed: false, retryAfterSeconds: 60 })
  expect(limiter.admit("key", hourEarlier + 59 * SECOND)).toEqual({ allowed: false, retryAfterSeconds: 1 })
  expect(limiter.admit("key", hourEarlier + 60 * SECOND).allowed).toBe(true)
})

test("idle callers are forgotten", () => {
  const limiter = rateLimiter({ limit: 60 })
  for (let i = 0; i < 1_000; i++) limiter.admit(`caller ${i}`, start)
  expect(limiter.windows()).toBe(1_000)
  for (let second = 0; second <= 120; second += 60) limiter.admit("another", start + second * SECOND)
  expect(limiter.windows()).toBe(1)
})

test("flooding from many addresses cannot grow memory without bound nor reset a busy caller's window", () => {
  const limiter = rateLimiter({ limit: 5, callersMax: 100, sharedWindows: 8 })
  times(5, limiter, "busy", start)
  for (let i = 0; i < 10_000; i++) limiter.admit(`flood ${i}`, start + i)
  expect(limiter.windows()).toBeLessThanOrEqual(108)
  expect(limiter.admit("busy", start + SECOND).allowed).toBe(false)
})

test("callers beyond the bound share windows, and who shares with whom depends on the seed", () => {
  const admittedWith = (seed: number) => {
    const limiter = rateLimiter({ limit: 1, callersMax: 1, sharedWindows: 4, seed })
    limiter.admit("first", start)
    return Array.from({ length: 20 }, (_, i) => limiter.admit(`late ${i}`, start).allowed)
  }
  expect(admittedWith(1).filter(Boolean)).toHaveLength(4)
  expect(admittedWith(1)).toEqual(admittedWith(1))
  expect(admittedWith(1)).not.toEqual(admittedWith(77))
})

test("room is made again once the flood is over", () => {
  const limiter = rateLimiter({ limit: 1, callersMax: 10, sharedWindows: 1 })
  for (let i = 0; i < 50; i++) limiter.admit(`flood ${i}`, start)
  const later = start + 180 * SECOND
  expect(Array.from({ length: 10 }, (_, i) => limiter.admit(`calm ${i}`, later).allowed)).not.toContain(false)
})
