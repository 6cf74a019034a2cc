import { expect, test } from "bun:test"
import { type Failures, oneMore, remembered, waitSeconds } from "../../../src/domain/people/password.ts"

const SECOND = 1_000_000

/** The waits before each of these failures, if somebody always waits as long as they must. */
function waitsOf(attempts: number): readonly number[] {
  let failures: Failures | undefined
  let now = 0
  return Array.from({ length: attempts }, () => {
    const before = remembered(failures, now)
    const wait = waitSeconds(before, now)
    now += wait * SECOND
    failures = oneMore(remembered(failures, now), now)
    return wait
  })
}

test("five failures are free, then the wait doubles up to a quarter of an hour", () => {
  expect(waitsOf(18)).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
})

test.each([
  ["just now", 0, 4],
  ["a moment before the wait is over", 3.2, 1],
  ["when the wait is over", 4, 0],
  ["counted while the clock was an hour ahead", -3_600, 4],
])("seven failures, the last one %s", (_, secondsAgo, wait) => {
  const now = 10_000 * SECOND
  expect(waitSeconds({ failures: 7, lastAt: now - secondsAgo * SECOND }, now)).toBe(wait)
})

test("failures are forgotten after an hour", () => {
  const failures = { failures: 9, lastAt: 0 }
  expect(remembered(failures, 3_600 * SECOND).failures).toBe(9)
  expect(remembered(failures, 3_601 * SECOND).failures).toBe(0)
})
