import { describe, expect, test } from "bun:test"
import { failureCounts } from "../../../src/domain/people/sign-in.ts"

describe("throttling of sign-ins", () => {
  const SECOND = 1_000_000
  test("is free for five failures, then doubles the wait up to a quarter of an hour", () => {
    const throttle = failureCounts(7)
    const waits: number[] = []
    let now = 0
    for (let i = 0; i < 18; i++) {
      throttle.failed("somebody", now)
      waits.push(throttle.waitSeconds("somebody", now))
      now += (waits.at(-1) ?? 0) * SECOND
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })
  test("does not count a failure that is taken back, not even its time", () => {
    const throttle = failureCounts(7)
    for (let i = 0; i < 6; i++) throttle.failed("somebody", 0)
    const counted = throttle.failed("somebody", 2 * SECOND)
    expect(throttle.waitSeconds("somebody", 2 * SECOND)).toBe(4)
    throttle.takeBack(counted)
    expect(throttle.waitSeconds("somebody", 2 * SECOND)).toBe(0)
    throttle.failed("somebody", 2 * SECOND)
    expect(throttle.waitSeconds("somebody", 2 * SECOND)).toBe(4)
  })
  test("is forgotten after an hour without failures, or at once after success", () => {
    const throttle = failureCounts(7)
    for (let i = 0; i < 9; i++) throttle.failed("somebody", 0)
    expect(throttle.waitSeconds("somebody", 0)).toBe(16)
    throttle.failed("somebody", 3_601 * SECOND)
    expect(throttle.waitSeconds("somebody", 3_601 * SECOND)).toBe(0)
    for (let i = 0; i < 9; i++) throttle.failed("somebody", 4_000 * SECOND)
    throttle.succeeded("somebody")
    expect(throttle.waitSeconds("somebody", 4_000 * SECOND)).toBe(0)
  })
})
