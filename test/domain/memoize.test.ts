import { expect, test } from "bun:test"
import { memoize } from "../../src/domain/memoize.ts"

const MEBIBYTE = 1_048_576

test("what is remembered of a long text is the word, not the text", () => {
  const lengthOf = memoize(1_000, (word: string) => word.length)
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  for (let nth = 0; nth < 200; nth++)
    lengthOf(Buffer.alloc(MEBIBYTE, `word number ${nth}, `).toString("latin1").slice(0, 16))
  Bun.gc(true)
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MEBIBYTE)
})
