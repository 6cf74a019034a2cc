import { describe, expect, test } from "bun:test"
import { signInFailures } from "../../../src/storage/sqlite/single-server.ts"

const SECOND = 1_000_000

/** Somebody who fails, waits as long as asked, and fails again. */
function somebody() {
  const throttle = signInFailures(7)
  let now = 0
  return {
    throttle,
    now: () => now,
    waits: async () => (await throttle.begin(["somebody"], now)).waitSeconds,
    later(seconds: number) {
      now += seconds * SECOND
    },
    async fails() {
      const { waitSeconds } = await throttle.begin(["somebody"], now)
      now += waitSeconds * SECOND
      if (waitSeconds > 0) await throttle.begin(["somebody"], now)
      return waitSeconds
    },
  }
}

describe("throttling of sign-ins", () => {
  test("is free for five failures, then doubles the wait up to a quarter of an hour", async () => {
    const { fails } = somebody()
    const waits: number[] = []
    for (let i = 0; i < 18; i++) waits.push(await fails())
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test("does not count a failure that is taken back, not even its time", async () => {
    const { fails, later, waits, throttle, now } = somebody()
    for (let i = 0; i < 6; i++) await fails()
    later(2)
    const { counted } = await throttle.begin(["somebody"], now())
    expect(await waits()).toBe(4)
    await throttle.takeBack(counted)
    // Counted again, as if nothing had been.
    expect(await waits()).toBe(0)
    expect(await waits()).toBe(4)
  })

  test("is forgotten after an hour without failures, or at once after success", async () => {
    const { fails, later, waits, throttle } = somebody()
    for (let i = 0; i < 9; i++) await fails()
    expect(await waits()).toBe(16)
    later(3_601)
    for (let i = 0; i < 5; i++) expect(await waits()).toBe(0)
    expect(await waits()).toBe(1)
    await throttle.succeeded(["somebody"])
    expect(await waits()).toBe(0)
  })
})
