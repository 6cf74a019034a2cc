import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Row } from "../../../../src/doors/cli/report/rows.ts"
import { batchesOf } from "../../../../src/doors/cli/report/rows.ts"

const row = (unique: string | null, number: number): Row => ({ number, cells: [], unique, bytes: 1 })

async function* given(uniques: Iterable<string | null>): AsyncGenerator<Row> {
  let number = 0
  for (const unique of uniques) yield row(unique, number++)
}

const packed = (uniques: Iterable<string | null>, rowsMax: number) =>
  Array.fromAsync(batchesOf(given(uniques), rowsMax))

describe("rows are packed into batches", () => {
  test("each row once, none too large, no value twice in one, and each value in the order of the file", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        async (uniques, rowsMax) => {
          const batches = await packed(uniques, rowsMax)
          const rows = batches.flat()
          expect(rows.map(({ number }) => number).sort((a, b) => a - b)).toEqual(uniques.map((_, i) => i))
          for (const batch of batches) {
            expect(batch.length).toBeGreaterThan(0)
            expect(batch.length).toBeLessThanOrEqual(rowsMax)
            expect(new Set(batch.map(({ unique }) => unique)).size).toBe(batch.length)
          }
          for (const value of new Set(uniques)) {
            const numbers = rows.filter(({ unique }) => unique === value).map(({ number }) => number)
            expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
          }
        },
      ),
    )
  })

  test("rows without such a value fill one batch after the other", async () => {
    expect((await packed(new Array(25).fill(null), 10)).map((batch) => batch.length)).toEqual([10, 10, 5])
  })

  test("a year of daily totals of many lines, one line after the other, makes full batches", async () => {
    const lines = Array.from({ length: 100 }, (_, line) => new Array(365).fill(`line ${line}`)).flat()
    const batches = await packed(lines, 50)
    expect(batches.length).toBe(365 * 2)
  })

  test("a million rows are never held all at once", async () => {
    let read = 0
    let left = 0
    let heldMost = 0
    async function* endless(): AsyncGenerator<Row> {
      for (; read < 1_000_000; read++) {
        heldMost = Math.max(heldMost, read - left)
        yield row(`line ${Math.floor(read / 1_000)}`, read)
      }
    }
    for await (const batch of batchesOf(endless(), 500)) left += batch.length
    expect(left).toBe(1_000_000)
    expect(heldMost).toBeLessThan(200_000)
  })
})
