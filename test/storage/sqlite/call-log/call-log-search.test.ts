import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../../../harness.ts"

const CALLS = 120_000
const WANTED = new Set([3, 60_000, 119_999])

/** A long log: call number n was answered n microseconds after noon. */
async function startWithLongLog(): Promise<TestApp> {
  const app = await startApp()
  const { agentCallLog } = app.store
  agentCallLog.keepWithin(200_000)
  for (let number = 0; number < CALLS; number++) {
    const isWanted = WANTED.has(number)
    agentCallLog.note({
      at: app.clock() + number,
      agentKeyId: null,
      address: "203.0.113.7",
      method: "tools/call",
      tool: "get_products",
      arguments: isWanted ? '{"brief":"100% sea_side"}' : '{"brief":"100 seaXside"}',
      outcome: isWanted ? "INVALID_REQUEST" : "completed",
      durationMicros: 1,
    })
    if (number % 10_000 === 9_999) await app.store.flushWriteBuffer()
  }
  await app.store.flushWriteBuffer()
  return app
}

async function searchAll(app: TestApp, filter: Parameters<TestApp["store"]["agentCallLog"]["search"]>[0]) {
  const found: number[] = []
  let steps = 0
  let before: number | null = null
  do {
    const part = await app.store.agentCallLog.search(filter, { before, limit: 100 })
    found.push(...part.calls.map(({ at }) => at - app.clock()))
    before = part.before
    steps++
  } while (before !== null && steps < 20)
  return { found, steps }
}

test("a search through a long log goes in steps and finds everything, newest first", async () => {
  await using app = await startWithLongLog()
  const newestFirst = [119_999, 60_000, 3]
  expect(await searchAll(app, { outcome: "INVALID_REQUEST" })).toEqual({ found: newestFirst, steps: 2 })
  expect((await searchAll(app, { text: "100% sea_side" })).found).toEqual(newestFirst)
  expect((await searchAll(app, { caller: "nobody" })).found).toEqual([])
  // Days far back are found at once, however long the log is since then.
  expect(await searchAll(app, { from: app.clock() + 2, until: app.clock() + 4 })).toEqual({ found: [3, 2], steps: 1 })
  expect(await searchAll(app, { from: app.clock() + CALLS })).toEqual({ found: [], steps: 1 })
})
