import { expect, test } from "bun:test"
import { nextTurn, strangersTurn } from "../../src/domain/event-loop.ts"

/** Takes the processor for longer than a turn has. */
function work(): void {
  const from = performance.now()
  while (performance.now() - from < 6);
}

test("of much work that waits for its turn, others are served between each two parts", async () => {
  let done = 0
  const seen: number[] = []
  const all = Promise.all(
    Array.from({ length: 20 }, async () => {
      await nextTurn()
      work()
      done++
    }),
  )
  while (done < 20) {
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(done)
  }
  await all
  expect(Math.max(...seen.map((count, i) => count - (seen[i - 1] ?? 0)))).toBeLessThanOrEqual(2)
})

test("callers take turns: whoever waits for much does not hold up another", async () => {
  const order: string[] = []
  const wait = async (caller: string) => {
    await nextTurn(caller)
    work()
    order.push(caller)
  }
  await Promise.all([...Array.from({ length: 5 }, () => wait("much")), wait("one"), wait("two"), wait("one")])
  expect(order).toEqual(["much", "one", "two", "much", "one", "much", "much", "much"])
})

test("strangers take turns by address, and are one caller among the others, however many addresses they have", async () => {
  const order: string[] = []
  const wait = async (name: string, turn: Promise<void>) => {
    await turn
    work()
    order.push(name)
  }
  const flood = ["a", "a", "b", "c", "d"].map((address) => wait(address, strangersTurn(address)))
  await Promise.all([...flood, wait("known", nextTurn("known")), wait("known", nextTurn("known"))])
  expect(order).toEqual(["a", "known", "b", "known", "c", "d", "a"])
})

test("what writes is served together, as far as its shares come to one, and with nothing else", async () => {
  const turns: string[][] = []
  let current: string[] | undefined
  const wait = async (name: string, share?: number) => {
    await nextTurn(name, share)
    if (current === undefined) {
      current = []
      turns.push(current)
      queueMicrotask(() => {
        current = undefined
      })
    }
    current.push(name)
  }
  await Promise.all([wait("a", 0.5), wait("b", 0.5), wait("c", 0.6), wait("page"), wait("d", 0.1)])
  expect(turns).toEqual([["a", "b"], ["c"], ["page"], ["d"]])
})
