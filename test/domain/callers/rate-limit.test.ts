import { expect, test } from "bun:test"
import { limitsInMemory } from "../../../src/domain/rate-limit.ts"

const SECOND = 1_000_000
const START = 1_800_000_000 * SECOND
const WINDOW = { name: "delivery", limit: 3 }

/** Admits a caller at these seconds, and says what came of each. */
async function admitAt(seconds: readonly number[], limits = limitsInMemory(), caller = "1") {
  const outcomes: string[] = []
  for (const second of seconds) {
    const { isAllowed, remaining, retryAfterSeconds } = await limits.admit(caller, WINDOW, START + second * SECOND)
    outcomes.push(isAllowed ? `${remaining} left` : `wait ${retryAfterSeconds}`)
  }
  return outcomes
}

test.each([
  ["the limit counts in any 60 seconds", [0, 10, 20, 30, 59.9], ["2 left", "1 left", "0 left", "wait 30", "wait 1"]],
  ["the window slides", [0, 10, 20, 60, 60.1, 70], ["2 left", "1 left", "0 left", "0 left", "wait 10", "0 left"]],
  ["a refused request doesn't count", [0, 0, 0, 30, 60], ["2 left", "1 left", "0 left", "wait 30", "2 left"]],
  ["the wait is never zero", [0, 0, 0, 59.999_999], ["2 left", "1 left", "0 left", "wait 1"]],
  ["a clock that is set back keeps nobody waiting", [100, 100, 100, 0], ["2 left", "1 left", "0 left", "2 left"]],
])("%s", async (_, seconds, outcomes) => {
  expect(await admitAt(seconds)).toEqual(outcomes)
})

test("after the wait that a caller was told, the next request is admitted", async () => {
  const limits = limitsInMemory()
  await admitAt([0, 7, 13], limits)
  const { retryAfterSeconds } = await limits.admit("1", WINDOW, START + 20 * SECOND)
  expect(await admitAt([20 + retryAfterSeconds], limits)).toEqual(["0 left"])
})

test("callers and windows don't share", async () => {
  const limits = limitsInMemory()
  await admitAt([0, 0, 0], limits)
  expect(await admitAt([1], limits, "2")).toEqual(["2 left"])
  expect((await limits.admit("1", { name: "affiliate", limit: 3 }, START)).isAllowed).toBe(true)
})

test("a flood from many addresses shares one window, and doesn't reset other windows", async () => {
  const limits = limitsInMemory()
  await admitAt([0, 0, 0], limits, "busy")
  for (let i = 0; i < 20_100; i++) await limits.admit(`stranger ${i}`, WINDOW, START + SECOND)
  expect(await admitAt([2], limits, "one more")).toEqual(["wait 59"])
  expect(await admitAt([2], limits, "busy")).toEqual(["wait 58"])
  // A minute later, all of them are forgotten.
  expect(await admitAt([130], limits, "one more")).toEqual(["2 left"])
})
