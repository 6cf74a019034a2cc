import { expect, test } from "bun:test"
import { microsecondClock } from "../../../src/domain/time/clock.ts"

test("what arrives in one millisecond arrives one after the other, and never after the next millisecond has begun", () => {
  let milliseconds = 1_700_000_000_000
  const clock = microsecondClock(() => milliseconds)
  const looks = Array.from({ length: 1_500 }, clock)
  expect(looks.slice(0, 3)).toEqual([0, 1, 2].map((micros) => milliseconds * 1_000 + micros))
  expect(looks.at(-1)).toBe(milliseconds * 1_000 + 999)
  milliseconds += 1
  expect(clock()).toBe(milliseconds * 1_000)
})

test("a clock that is set back is followed at once", () => {
  let milliseconds = 1_700_000_000_000
  const clock = microsecondClock(() => milliseconds)
  clock()
  milliseconds -= 3_600_000
  expect([clock(), clock()]).toEqual([milliseconds * 1_000, milliseconds * 1_000 + 1])
})
